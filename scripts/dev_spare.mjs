// A process that npm run dev keeps in reserve: it has loaded the packages, which is most of the cost
// of a start, and waits for the bundle to run.

const end = () => process.exit(0)
process.once('disconnect', end)

let loaded
process.on('message', async ({ packages, bundle }) => {
  // Only loaded ahead: what fails here fails in the bundle again, with its reason.
  if (packages) loaded = Promise.allSettled(packages.map((name) => import(name)))
  if (!bundle) return
  await loaded
  process.off('disconnect', end).removeAllListeners('message')
  await import(bundle)
})
