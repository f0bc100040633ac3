// expect: was not declared
int main() { return a + b + c + d + e + f + g + h; }
