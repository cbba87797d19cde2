// Opens the run that 4-train left and says why a picture matches its nearest neighbour.
//
//   $ 5-explain run
//   200 pictures, 32 features
//   picture 0 and its nearest neighbour share features that fire: yes
//   what these add is the whole similarity: yes

#include <cmath>
#include <cstdio>

#include "orthant/catalogue/open.h"

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: 5-explain RUN\n"), 2;
  const auto run = orthant::catalogue::open_catalogue(argv[1], {.size = 200});
  std::printf("%lld pictures, %lld features\n", static_cast<long long>(run->items().size()),
              static_cast<long long>(run->features()));

  const int64_t nearest = run->neighbours()(0, 0);
  const orthant::catalogue::Explanation why = run->explain(0, nearest);
  double sum = 0;
  for (const auto& part : why.parts) sum += part.contribution;
  std::printf("picture 0 and its nearest neighbour share features that fire: %s\n", why.parts.empty() ? "no" : "yes");
  std::printf("what these add is the whole similarity: %s\n", std::abs(sum - why.score) < 1e-12 ? "yes" : "no");
}
