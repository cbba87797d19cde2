#include "orthant/layout/pca.h"

#include "orthant/layout/frame.h"
#include "orthant/layout/principal.h"

namespace orthant::layout {

Matrix pca_layout(const measure::Features& features, const PcaOptions& options) {
  measure::check_finite(features, "pca_layout");
  const PrincipalComponents components = principal_components(features, options.threads);
  return frame(scores(components, features, options.threads));
}

}  // namespace orthant::layout
