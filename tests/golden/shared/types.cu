typedef unsigned char u8;

typedef long long i64;

typedef unsigned long long u64;

typedef unsigned int u32;

typedef unsigned short u16;

typedef signed char i8;

typedef short i16;
