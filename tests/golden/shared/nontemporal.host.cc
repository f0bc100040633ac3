typedef long long part_of_line __attribute__((vector_size(16), may_alias));

static inline void store_nontemporal(void* to, const void* from, int bytes)
{
    for (int i = 0; i < bytes / 16; ++i) {
        const part_of_line part = static_cast<const part_of_line*>(from)[i];
#if defined(__clang__)
        __builtin_nontemporal_store(part, static_cast<part_of_line*>(to) + i);
#elif defined(__SSE2__)
        __builtin_ia32_movntdq(static_cast<part_of_line*>(to) + i, part);
#else
        static_cast<part_of_line*>(to)[i] = part;
#endif
    }
}
