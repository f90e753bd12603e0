// What `casimir render` and `casimir animate` ask of libcasimir_ui, in plain C so that program and library
// share nothing else.
#pragma once

extern "C" {

struct CasimirExport {
    const char* recipe; // as readRecipe() takes it
    const char* path;
    int replace;
    // Called between frames with what is done of how many; an answer other than 0 stops, and nothing is left.
    // May be null.
    int (*progress)(int done, int total);
};

// 0: the files are there. 1: a sentence in `complaint`. 2: stopped by `progress`.
int casimirExport(const CasimirExport* wish, char* complaint, int complaintSize);
}
