import { existsSync } from 'node:fs'

// Set the process up before loading the service: settings must be in place, and stack traces
// mapped, from its first line. Environment variables win over the file.
if (existsSync('.env')) process.loadEnvFile('.env')
process.setSourceMapsEnabled(true)
await import('./service.ts')
