// What `casimir render` asks of libcasimir_ui, in plain C so that program and library share nothing else.
#pragma once

extern "C" {

struct CasimirFigure {
    const char* session; // as readSession() takes it
    const char* view;
    const char* path;
    const char* theme; // "print", "light" or "dark"
    int width, height; // pixels of 1/96 inch
    double t;          // s
    int replace;
};

// 0 and the file is there; otherwise a sentence in `complaint`.
int casimirRenderFigure(const CasimirFigure* figure, char* complaint, int complaintSize);
}
