import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { startEmbeddedPostgres } from '../../src/db/embedded.ts'
import { createDatabase, type TestDatabase } from '../kit/database.ts'
import { startService, type TestService } from '../kit/service.ts'

const root = join(import.meta.dirname, '..', '..')

beforeAll(() => {
  execFileSync(process.execPath, [join(root, 'scripts', 'build.mjs')])
})

/** Runs the built program, as in production, with only these settings. */
function staff(env: Record<string, string>, ...args: string[]) {
  const script = [join(root, 'dist', 'staff.js'), ...args]
  const child = spawn(process.execPath, script, {
    cwd: root,
    env: { PATH: process.env.PATH, ...env },
  })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, stdout, stderr })),
  )
}

describe('npm run staff', () => {
  let database: TestDatabase
  let service: TestService
  beforeAll(async () => {
    database = await createDatabase()
    service = await startService({ databaseUrl: database.url })
  })
  afterAll(async () => {
    await service.close()
    await database.drop()
  })
  const run = (...args: string[]) => {
    const { secretKey } = service.config
    return staff({ DATABASE_URL: database.url, SECRET_KEY: secretKey }, ...args)
  }

  test('adds and removes people while a service runs', async () => {
    const email = 'ada@example.com'
    const signIn = async () => {
      service.advance(61_000)
      await service.admin().post('/api/admin/session/code').send({ email }).expect(202)
      const code = await service.codeFor(email)
      const answer = await service.admin().post('/api/admin/session').send({ email, code })
      return answer.headers['set-cookie']?.[0] ?? ''
    }
    expect(await run('add', 'Ada@Example.com')).toMatchObject({
      code: 0,
      stdout: 'Ada@Example.com is now on the staff.\n',
    })
    const cookie = await signIn()
    const read = () => service.admin({ cookie }).get('/api/admin/session')
    await read().expect(200)
    expect((await run('remove', email)).stdout).toBe(`${email} is no longer on the staff.\n`)
    await read().expect(401)
  })

  test('prints a code that signs in although strangers have used up the mailed ones', async () => {
    const email = 'grace@example.com'
    await run('add', email)
    const signIn = (code: string) =>
      service.admin().post('/api/admin/session').send({ email, code })
    const { stdout } = await run('code', email)
    expect(stdout).toMatch(/^\d{6} signs grace@example\.com in to administration once, within/)
    const code = stdout.slice(0, 6)
    // A request and six guesses of a stranger end the mailed code, and not this one.
    await service.admin().post('/api/admin/session/code').send({ email }).expect(202)
    const wrong = code === '000000' ? '000001' : '000000'
    for (let tries = 0; tries < 6; tries++) await signIn(wrong).expect(401)
    await signIn(code).expect(200)
    await signIn(code).expect(401)
    const { body } = await service
      .admin(await service.givenStaff())
      .get('/api/admin/audit?search=create_staff_code')
      .expect(200)
    expect(body.entries).toMatchObject([{ staffEmail: 'operator', action: 'create_staff_code' }])
  })

  test('makes no code for an address that is not on the staff', async () => {
    const { code, stderr } = await run('code', 'stranger@example.com')
    expect([code, stderr]).toEqual([1, 'stranger@example.com is not on the staff.\n'])
  })

  test('lists the staff, and reports a no-op', async () => {
    const { email } = await service.givenStaff()
    expect((await run('list')).stdout).toContain(`${email}, since ${service.now().toISOString()}\n`)
    expect((await run('add', email)).stdout).toBe(`${email} is already on the staff.\n`)
  })

  test.each([[[]], [['promote', 'ada@example.com']]])(
    'prints its usage for wrong arguments: %j',
    async (args) => {
      const { code, stderr } = await run(...args)
      expect([code, stderr]).toEqual([
        1,
        'Usage: npm run staff -- add <email> | remove <email> | code <email> | list\n',
      ])
    },
  )

  test('refuses an address that cannot sign in', async () => {
    const { code, stderr } = await run('add', 'ada+staff@example.com')
    expect(code).toBe(1)
    expect(stderr).toMatch(/^.+\.\n$/)
    expect(await run('remove', 'ada+staff@example.com')).toMatchObject({
      code: 0,
      stdout: 'ada+staff@example.com was not on the staff.\n',
    })
  })

  test('removes a person whose address could not be added today', async () => {
    const { email, cookie } = await service.givenStaff({ email: 'ada@mailinator.com' })
    expect((await run('remove', email)).stdout).toBe(`${email} is no longer on the staff.\n`)
    await service.admin({ cookie }).get('/api/admin/session').expect(401)
  })
})

describe('npm run staff without DATABASE_URL', () => {
  test('uses the database of the running service, or starts it if none runs', async () => {
    const DATA_DIR = mkdtempSync(join(inject('scratchFolder'), 'staff-'))
    const running = await startEmbeddedPostgres({ dataDir: DATA_DIR, durable: false })
    try {
      expect(await staff({ DATA_DIR }, 'add', 'ada@example.com')).toMatchObject({ code: 0 })
    } finally {
      await running.stop()
    }
    expect((await staff({ DATA_DIR }, 'list')).stdout).toMatch(/^ada@example\.com, since /)
  })
})
