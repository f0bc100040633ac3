typedef long long i64;

typedef unsigned char u8;

typedef unsigned int u32;

typedef unsigned long long u64;
