// expect: cast
int main() { return cost; }
