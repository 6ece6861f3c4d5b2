#include <stdio.h>

int main(void) {
    printf("%d\n", 2);
    return 0;
}
