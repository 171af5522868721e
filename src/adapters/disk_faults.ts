const codes = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE', 'ENFILE'])

/** Whether an error says that the disk takes no more: the caller may try again later. */
export function isDiskFault(error: unknown): boolean {
  return error instanceof Error && codes.has((error as NodeJS.ErrnoException).code ?? '')
}
