// modmul_rns_open.cuh: the instances that a test of primality goes on with, as a dense list. docs/primality.md.
//
// A part of a test leaves a verdict of each instance of its list. The next part has a list of those that are open, in
// the same order. A list has as many places as the batch has instances, each with four words: 0; 1 if the place is
// empty; the number of places that are not; 0.

constexpr unsigned OPEN = FIRST ? 2 : 1;  // the verdict of those that are open

// Whether a test goes on with an instance: one of a list if it exists and was served.
__device__ __forceinline__ bool is_open(const unsigned* verdicts, const unsigned* list, const unsigned* served, unsigned long long i, unsigned long long instances) {
  if (!FIRST) instances = min(instances, (unsigned long long)list[2]);
  return i < instances && (FIRST || served[4 * i + 1]) && verdicts[i * VERDICT_WORDS] == OPEN;
}
