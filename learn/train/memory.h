#pragma once

namespace orthant {

// For the main function of a program that trains: freed memory stays with the process instead of going back to the
// system, so that the next step's activations, hundreds of megabytes, do not have to be mapped and cleared page by page
// again. A setting of the whole process (glibc's malloc; without effect elsewhere), hence never made by the library
// itself.
void keep_freed_memory();

// The opposite, for one that mostly waits for its next work: freed blocks of a megabyte and more go back to the system
// at once, whichever thread had them. Undoes keep_freed_memory() for what is allocated from here on.
void return_freed_memory();

}  // namespace orthant
