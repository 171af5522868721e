const hosts = ['localhost', '127.0.0.1', '[::1]']

/** Whether a URL stays on its own machine. False for a text that is no URL. */
export function isLoopbackUrl(url: string): boolean {
  return URL.canParse(url) && hosts.includes(new URL(url).hostname)
}
