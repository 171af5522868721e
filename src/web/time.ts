/** In milliseconds. */
export const day = 24 * 3600_000
