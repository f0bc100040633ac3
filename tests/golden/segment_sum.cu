// segments: words without elements
// ... shared/types.cu: i64
// ... shared/helpers.cu: wait_for_earlier_kernels
// ... shared/heads.cu: kiln_segment_clear

    // ... as in wide_index
    const long long s = block * 256 + thread;
    if (s >= count) return;
    words[s] = setting;
}
