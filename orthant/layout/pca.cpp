#include "orthant/layout/pca.h"

#include "orthant/layout/frame.h"
#include "orthant/linalg/principal.h"

namespace orthant::layout {

Matrix pca_layout(const Features& features, const PcaOptions& options) {
  check_finite(features, "pca_layout");
  const linalg::PrincipalComponents components = linalg::principal_components(features, options.threads);
  return frame(linalg::scores(components, features, options.threads));
}

}  // namespace orthant::layout
