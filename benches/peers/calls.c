/* Batches of numbers in GMP and FLINT: each call computes an operation of all instances, one after the other,
   into results that keep their memory. Functions on limbs have their operands side by side, the others theirs
   as numbers of the library, made beforehand. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <gmp.h>

#include <flint/flint.h>
#include <flint/fmpz.h>
#include <flint/fmpz_vec.h>
#include <flint/mpn_extras.h>

#ifndef FLINT_HAVE_FFT_SMALL
#error "FLINT was built without its transforms: run benches/peers/build.sh"
#endif

/* GMP's own, not in its header. */
void __gmpn_mullo_n(mp_ptr, mp_srcptr, mp_srcptr, mp_size_t);

enum operation { LOW, WIDE, SQUARE, QUOTIENT, POWER, GCD, INVERSE, ROOT };

struct peers {
    size_t limbs, count;
    mp_srcptr operands[3];
    mp_ptr out;
    mpz_t *gmp[4];
    fmpz *flint[4];
};

void peers_free(struct peers *p)
{
    for (int k = 0; k < 4; k++) {
        for (size_t i = 0; i < p->count && p->gmp[k]; i++)
            mpz_clear(p->gmp[k][i]);
        free(p->gmp[k]);
        if (p->flint[k])
            _fmpz_vec_clear(p->flint[k], p->count);
    }
    free(p->out);
    free(p);
}

/* The operands stay where they are for as long as the batch lives; NULL if memory is short. */
struct peers *peers_new(const uint64_t *a, const uint64_t *b, const uint64_t *c, size_t limbs, size_t count)
{
    struct peers *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->limbs = limbs;
    p->count = count;
    const uint64_t *operands[3] = {a, b, c};
    p->out = calloc(2 * limbs * count, sizeof *p->out);
    for (int k = 0; k < 4; k++) {
        p->gmp[k] = p->out ? malloc(count * sizeof *p->gmp[k]) : NULL;
        if (!p->gmp[k]) {
            peers_free(p);
            return NULL;
        }
        for (size_t i = 0; i < count; i++) {
            mpz_init(p->gmp[k][i]);
            if (k < 3)
                mpz_import(p->gmp[k][i], limbs, -1, 8, 0, 0, operands[k] + i * limbs);
        }
        /* In a loop of their own, so that the numbers of a library lie side by side. */
        p->flint[k] = _fmpz_vec_init(count);
        for (size_t i = 0; i < count; i++)
            fmpz_set_mpz(p->flint[k] + i, p->gmp[k][i]);
        if (k < 3)
            p->operands[k] = (mp_srcptr)operands[k];
    }
    return p;
}

/* A case of an operation: the call of GMP for each instance, or that of FLINT. */
#define EACH(operation, of_gmp, of_flint) \
    case operation: \
        if (flint) \
            for (size_t i = 0; i < p->count; i++) { of_flint; } \
        else \
            for (size_t i = 0; i < p->count; i++) { of_gmp; } \
        break;

/* Computes all instances by FLINT, or by GMP. */
void peers_run(struct peers *p, int flint, int operation)
{
    size_t n = p->limbs;
    mp_srcptr a = p->operands[0], b = p->operands[1];
    mpz_t *x = p->gmp[0], *y = p->gmp[1], *z = p->gmp[2], *r = p->gmp[3];
    fmpz *u = p->flint[0], *v = p->flint[1], *w = p->flint[2], *s = p->flint[3];
    mp_ptr out = p->out;
    switch (operation) {
    EACH(LOW, __gmpn_mullo_n(out + i * n, a + i * n, b + i * n, n),
         flint_mpn_mullow_n(out + i * n, a + i * n, b + i * n, n))
    EACH(WIDE, mpn_mul_n(out + 2 * i * n, a + i * n, b + i * n, n),
         flint_mpn_mul_n(out + 2 * i * n, a + i * n, b + i * n, n))
    EACH(SQUARE, mpn_sqr(out + 2 * i * n, a + i * n, n), flint_mpn_sqr(out + 2 * i * n, a + i * n, n))
    EACH(QUOTIENT, mpz_tdiv_q(r[i], x[i], y[i]), fmpz_tdiv_q(s + i, u + i, v + i))
    EACH(POWER, mpz_powm(r[i], x[i], y[i], z[i]), fmpz_powm(s + i, u + i, v + i, w + i))
    EACH(GCD, mpz_gcd(r[i], x[i], y[i]), fmpz_gcd(s + i, u + i, v + i))
    EACH(INVERSE, mpz_invert(r[i], x[i], y[i]), fmpz_invmod(s + i, u + i, v + i))
    EACH(ROOT, mpz_sqrt(r[i], x[i]), fmpz_sqrt(s + i, u + i))
    default: abort();
    }
}

/* The results of the last call to `out`, all of `limbs` limbs. */
void peers_results(const struct peers *p, int flint, int operation, uint64_t *out, size_t limbs)
{
    if (operation <= SQUARE) {
        memcpy(out, p->out, limbs * p->count * sizeof *out);
        return;
    }
    memset(out, 0, limbs * p->count * sizeof *out);
    mpz_t number;
    mpz_init(number);
    for (size_t i = 0; i < p->count; i++) {
        if (flint)
            fmpz_get_mpz(number, p->flint[3] + i);
        else
            mpz_set(number, p->gmp[3][i]);
        if (mpz_size(number) <= limbs)
            mpz_export(out + i * limbs, NULL, -1, 8, 0, 0, number);
    }
    mpz_clear(number);
}

/* The processor time of this thread. */
double peers_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

const char *peers_flint_version(void) { return flint_version; }
const char *peers_gmp_version(void) { return gmp_version; }
