// kiln_next_block
// ... shared/types.cu: u64
// ... shared/helpers.cu: wait_for_earlier_kernels, of_block, cluster_barrier
// ... shared/heads.cu: kiln_next_block

    __shared__ int row[128];
    const unsigned int cluster = blockIdx.x / 4;
    const int block = blockIdx.x % 4;
    // ... as in contiguous
    const unsigned int i = (cluster * 4 + block) * 128 + thread;
    row[thread] = x0[i];
    cluster_barrier();
    y0[i] = *of_block(row + thread, (block + 1) % 4);
    cluster_barrier();
}
