// The entry of libcasimir_ui for the program, which loads it by name.
#pragma once

extern "C" int casimirWindowMain(int argc, char** argv);
