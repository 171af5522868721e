// A service in miniature, run as a process of its own by the tests of the embedded database: it
// starts the database in the given folder, says where, and obeys one word on its input.
import { startEmbeddedPostgres } from '../../src/db/embedded.ts'

// A service decides for itself what Ctrl-C means; this one goes on.
process.on('SIGINT', () => undefined)

const postgres = await startEmbeddedPostgres({ dataDir: process.argv[2] ?? '' })
console.log(postgres.url)

const stop = () => void postgres.stop().then(() => process.exit(0))
process.stdin.once('data', (word) => (word.toString() === 'exit' ? process.exit(0) : stop()))
// The test that started it is gone.
process.stdin.once('end', stop)
