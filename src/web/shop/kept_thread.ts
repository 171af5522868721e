/** The id of a conversation, which a tab keeps over its pages. */
export interface KeptThread {
  read(): string | undefined
  keep(threadId: string): void
  forget(): void
}

/** Under a name of the tab's storage; a browser that refuses that keeps it as long as the page. */
export function keptThread(name: string | undefined): KeptThread {
  let id = name === undefined ? undefined : stored(() => sessionStorage.getItem(name))
  return {
    read: () => id,
    keep(threadId) {
      if (name === undefined) return
      id = threadId
      stored(() => sessionStorage.setItem(name, threadId))
    },
    forget() {
      id = undefined
      if (name !== undefined) stored(() => sessionStorage.removeItem(name))
    },
  }
}

function stored<T>(use: () => T | null): T | undefined {
  try {
    return use() ?? undefined
  } catch {
    return undefined
  }
}
