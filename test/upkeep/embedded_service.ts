// A miniature service, run as a separate process by the tests of the embedded database: starts the
// database in the given folder, prints its URL, and obeys one word on stdin.
import { startEmbeddedPostgres } from '../../src/db/embedded.ts'

// Ignores Ctrl-C: the database must keep running until told to stop.
process.on('SIGINT', () => undefined)

const postgres = await startEmbeddedPostgres({ dataDir: process.argv[2] ?? '' })
console.log(postgres.url)

const stop = () => void postgres.stop().then(() => process.exit(0))
process.stdin.once('data', (word) => (word.toString() === 'exit' ? process.exit(0) : stop()))
// End of stdin: the parent test is gone.
process.stdin.once('end', stop)
