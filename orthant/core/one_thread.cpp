#include "orthant/core/one_thread.h"

#include <omp.h>

namespace orthant {

OneThread::OneThread() : before_(omp_get_max_threads()) { omp_set_num_threads(1); }
OneThread::~OneThread() { omp_set_num_threads(before_); }

}  // namespace orthant
