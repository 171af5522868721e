import { existsSync } from 'node:fs'

// The process is set up before the service is loaded: settings are read and stack traces mapped from
// its first line. What the environment says wins over the file.
if (existsSync('.env')) process.loadEnvFile('.env')
process.setSourceMapsEnabled(true)
await import('./service.ts')
