// expect: FALSE(valid-deref)
// property: valid-memsafety
// The twin of wide_text_safe.c.
#include <wchar.h>

int main(void) {
    wchar_t text[5];
    wcscpy(text, L"abc");
    wcscat(text, L"de");
    wprintf(L"%ls\n", text);
    return 0;
}
