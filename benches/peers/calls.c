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

static void release(struct peers *p)
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

void peers_free(struct peers *p) { release(p); }

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
        mpz_t *numbers = malloc(count * sizeof *numbers);
        for (size_t i = 0; i < count && numbers; i++) {
            mpz_init(numbers[i]);
            if (k < 3)
                mpz_import(numbers[i], limbs, -1, 8, 0, 0, operands[k] + i * limbs);
        }
        p->gmp[k] = numbers;
        p->flint[k] = _fmpz_vec_init(count);
        for (size_t i = 0; i < count && numbers; i++)
            fmpz_set_mpz(p->flint[k] + i, numbers[i]);
        if (k < 3)
            p->operands[k] = (mp_srcptr)operands[k];
        if (!numbers || !p->out) {
            release(p);
            return NULL;
        }
    }
    return p;
}

#define EACH(call) for (size_t i = 0; i < p->count; i++) { call; }

void peers_gmp(struct peers *p, int operation)
{
    size_t n = p->limbs;
    mp_srcptr a = p->operands[0], b = p->operands[1];
    mpz_t *x = p->gmp[0], *y = p->gmp[1], *z = p->gmp[2], *r = p->gmp[3];
    switch (operation) {
    case LOW: EACH(__gmpn_mullo_n(p->out + i * n, a + i * n, b + i * n, n)) break;
    case WIDE: EACH(mpn_mul_n(p->out + 2 * i * n, a + i * n, b + i * n, n)) break;
    case SQUARE: EACH(mpn_sqr(p->out + 2 * i * n, a + i * n, n)) break;
    case QUOTIENT: EACH(mpz_tdiv_q(r[i], x[i], y[i])) break;
    case POWER: EACH(mpz_powm(r[i], x[i], y[i], z[i])) break;
    case GCD: EACH(mpz_gcd(r[i], x[i], y[i])) break;
    case INVERSE: EACH(mpz_invert(r[i], x[i], y[i])) break;
    case ROOT: EACH(mpz_sqrt(r[i], x[i])) break;
    default: abort();
    }
}

void peers_flint(struct peers *p, int operation)
{
    size_t n = p->limbs;
    mp_srcptr a = p->operands[0], b = p->operands[1];
    fmpz *x = p->flint[0], *y = p->flint[1], *z = p->flint[2], *r = p->flint[3];
    switch (operation) {
    case LOW: EACH(flint_mpn_mullow_n(p->out + i * n, a + i * n, b + i * n, n)) break;
    case WIDE: EACH(flint_mpn_mul_n(p->out + 2 * i * n, a + i * n, b + i * n, n)) break;
    case SQUARE: EACH(flint_mpn_sqr(p->out + 2 * i * n, a + i * n, n)) break;
    case QUOTIENT: EACH(fmpz_tdiv_q(r + i, x + i, y + i)) break;
    case POWER: EACH(fmpz_powm(r + i, x + i, y + i, z + i)) break;
    case GCD: EACH(fmpz_gcd(r + i, x + i, y + i)) break;
    case INVERSE: EACH(fmpz_invmod(r + i, x + i, y + i)) break;
    case ROOT: EACH(fmpz_sqrt(r + i, x + i)) break;
    default: abort();
    }
}

/* The results of the last call to `out`, all of `limbs` limbs. */
void peers_results(const struct peers *p, int operation, int flint, uint64_t *out, size_t limbs)
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
