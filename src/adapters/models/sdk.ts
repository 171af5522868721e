/** The packages of providers. They load with the first call. */
export async function loadSdk() {
  const sdk = await import('ai')
  // The SDK prints warnings to the console; our own log has what matters.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })
  return sdk
}
