// expect: TRUE
// property: valid-memsafety
// Texts of wide characters.
#include <wchar.h>

int main(void) {
    wchar_t text[6];
    wcscpy(text, L"abc");
    wcscat(text, L"de");
    wprintf(L"%ls\n", text);
    return wcslen(text) == 5 && wcscmp(text, L"abcde") == 0 ? 0 : *(char *)0;
}
