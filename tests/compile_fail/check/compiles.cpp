// expect: cast
int main() {}
