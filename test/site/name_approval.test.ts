import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { day } from '../../src/core/time.ts'
import { all, tally } from '../kit/races.ts'
import { startService, type TestService, unique } from '../kit/service.ts'
import { visitHost } from './window/shop_pages.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const visit = (name: string) => visitHost(service, `${name}.${service.config.siteDomain}`, '/')

async function givenNamed(subDomain: string, name = 'Rose shop') {
  const person = await service.givenPerson()
  const { key } = await service.givenKey(person, { expiresInDays: 365 })
  const body = { name, subDomain, templateKey: 'minimal' }
  const workspace = (await service.api(key).post('/v1/workspaces').send(body).expect(200)).body
  return { person, workspace, api: service.api(key) }
}

describe('update_name_approval', () => {
  test('shows the pages at a name that a person has looked at', async () => {
    const staff = await service.givenStaff()
    const name = unique('paypal').toLowerCase()
    const { person, workspace, api } = await givenNamed(name)
    expect((await visit(name)).status).toBe(403)
    const session = await service.dashboard(person).get('/api/session').expect(200)
    expect(session.body.memberships[0].isNameApproved).toBe(false)
    // The rest of the workspace works.
    await api.get(`/v1/workspaces/${workspace.id}/website`).expect(200)
    const asked = await service.admin(staff).get('/api/admin/contact-requests').expect(200)
    expect(asked.body.contactRequests[0].message).toContain(name)
    const [mail] = await service.mailsTo(staff.email)
    expect(mail!.text).toContain(name)

    const path = `/api/admin/workspaces/${workspace.id}/name`
    const decide = (isNameApproved: boolean) =>
      service.admin(staff).put(path).send({ isNameApproved }).expect(200)
    expect((await decide(true)).body.isNameApproved).toBe(true)
    expect((await visit(name)).status).toBe(200)
    await decide(false)
    expect((await visit(name)).status).toBe(403)
  })

  test('leaves other names alone, and looks at one that a shop moves to', async () => {
    const name = unique('rose').toLowerCase()
    const { workspace, api } = await givenNamed(name)
    expect((await visit(name)).status).toBe(200)
    const other = unique('login').toLowerCase()
    const path = `/v1/workspaces/${workspace.id}/workspace`
    await api.put(path).send({ subDomain: other }).expect(200)
    expect((await visit(other)).status).toBe(403)
    // Nor is the shop shown by its name of before, or the widget.
    expect((await visit(name)).status).toBe(403)
    const widget = await visitHost(service, `${name}.${service.config.siteDomain}`, '/widget.js')
    expect(widget.status).toBe(403)
  })

  test('looks at a shop that calls itself by a company’s name, wherever it moves', async () => {
    const staff = await service.givenStaff()
    const name = unique('rose').toLowerCase()
    const { workspace, api } = await givenNamed(name, 'PayPal Login')
    expect((await visit(name)).status).toBe(403)
    const asked = await service.admin(staff).get('/api/admin/contact-requests').expect(200)
    expect(asked.body.contactRequests[0].message).toContain(`PayPal Login: ${name}`)
    const other = unique('lily').toLowerCase()
    const path = `/v1/workspaces/${workspace.id}/workspace`
    await api.put(path).send({ subDomain: other }).expect(200)
    expect((await visit(other)).status).toBe(403)
    const decision = `/api/admin/workspaces/${workspace.id}/name`
    await service.admin(staff).put(decision).send({ isNameApproved: true }).expect(200)
    expect((await visit(other)).status).toBe(200)
  })

  test('looks at a name that a shop takes later, until it gives it up', async () => {
    const name = unique('rose').toLowerCase()
    const { workspace, api } = await givenNamed(name)
    const rename = (to: string) =>
      api.put(`/v1/workspaces/${workspace.id}/workspace`).send({ name: to }).expect(200)
    await rename('Amazon Çay Evi')
    expect((await visit(name)).status).toBe(200)
    await rename('Trendyol Destek')
    expect((await visit(name)).status).toBe(403)
    await rename('Rose shop')
    expect((await visit(name)).status).toBe(200)
  })

  test('looks at such a name where a shop takes its subdomain of before back', async () => {
    const before = unique('rose').toLowerCase()
    const { workspace, api } = await givenNamed(before)
    const update = (body: object) =>
      api.put(`/v1/workspaces/${workspace.id}/workspace`).send(body).expect(200)
    await update({ subDomain: unique('lily').toLowerCase() })
    await update({ name: 'PayPal Login' })
    service.advance(30 * day)
    await update({ subDomain: before })
    expect((await visit(before)).status).toBe(403)
    await update({ name: 'Rose shop' })
    expect((await visit(before)).status).toBe(200)
  })

  test('hides a shop until staff show it, whatever it is called and wherever it moves', async () => {
    const staff = await service.givenStaff()
    const name = unique('rose').toLowerCase()
    const { workspace, api } = await givenNamed(name)
    const decide = (isNameApproved: boolean) =>
      service
        .admin(staff)
        .put(`/api/admin/workspaces/${workspace.id}/name`)
        .send({ isNameApproved })
        .expect(200)
    const update = (body: object) =>
      api.put(`/v1/workspaces/${workspace.id}/workspace`).send(body).expect(200)
    await decide(false)
    await update({ name: 'PayPal Login' })
    await update({ name: 'Rose shop' })
    expect((await visit(name)).status).toBe(403)
    const other = unique('lily').toLowerCase()
    await update({ subDomain: other })
    expect((await visit(other)).status).toBe(403)
    // Staff are told of each name that it has taken meanwhile.
    const asked = await service.admin(staff).get('/api/admin/contact-requests').expect(200)
    expect(asked.body.contactRequests[0].message).toContain(`Rose shop: ${other}`)
    await decide(true)
    expect((await visit(other)).status).toBe(200)
  })

  test('approves what was looked at, and no name that a shop has taken since', async () => {
    const staff = await service.givenStaff()
    const name = unique('garanti').toLowerCase()
    const { workspace, api } = await givenNamed(name)
    const decide = (seen: object) =>
      service
        .admin(staff)
        .put(`/api/admin/workspaces/${workspace.id}/name`)
        .send({ isNameApproved: true, ...seen })
    const seen = { name: 'Rose shop', subDomain: name }
    await api
      .put(`/v1/workspaces/${workspace.id}/workspace`)
      .send({ name: 'PayPal Login' })
      .expect(200)
    for (const stale of [seen, { subDomain: 'other-shop' }]) {
      const refused = await decide(stale)
      expect([refused.status, refused.body.code]).toEqual([409, 'write_conflict'])
    }
    expect((await visit(name)).status).toBe(403)
    await decide({ ...seen, name: 'PayPal Login' }).expect(200)
    expect((await visit(name)).status).toBe(200)
  })

  test('looks at a title and at a headline, until the shop gives both up', async () => {
    const staff = await service.givenStaff()
    const name = unique('rose').toLowerCase()
    const { workspace, api } = await givenNamed(name)
    const write = (body: object) =>
      api.put(`/v1/workspaces/${workspace.id}/website`).send(body).expect(200)
    await write({ headline: 'We accept PayPal', seo: { title: 'Rose shop' } })
    expect((await visit(name)).status).toBe(200)
    await write({ headline: 'PayPal: Log in to your account' })
    expect((await visit(name)).status).toBe(403)
    const asked = await service.admin(staff).get('/api/admin/contact-requests').expect(200)
    const message = `Rose shop: ${name}, PayPal: Log in to your account`
    expect(asked.body.contactRequests[0].message).toContain(message)
    await write({ seo: { title: 'ᴘᴀʏᴘᴀʟ' }, headline: 'Roses' })
    expect((await visit(name)).status).toBe(403)
    await write({ tagline: 'From Isparta' })
    expect((await visit(name)).status).toBe(403)
    await write({ seo: { title: 'Rose shop' } })
    expect((await visit(name)).status).toBe(200)
  })

  test('looks at a title that the shop was founded with and keeps, wherever it moves', async () => {
    const name = unique('rose').toLowerCase()
    const { workspace, api } = await givenNamed(name, 'PayPal Login')
    const update = (body: object) =>
      api.put(`/v1/workspaces/${workspace.id}/workspace`).send(body).expect(200)
    await update({ name: 'Rose shop' })
    expect((await visit(name)).status).toBe(403)
    const other = unique('lily').toLowerCase()
    await update({ subDomain: other })
    expect((await visit(other)).status).toBe(403)
    await api
      .put(`/v1/workspaces/${workspace.id}/website`)
      .send({ seo: { title: 'Rose shop' } })
      .expect(200)
    expect((await visit(other)).status).toBe(200)
  })

  test('approves no title or headline that a shop has taken since', async () => {
    const staff = await service.givenStaff()
    const name = unique('garanti-bonus').toLowerCase()
    const { workspace, api } = await givenNamed(name)
    const decide = (seen: object) =>
      service
        .admin(staff)
        .put(`/api/admin/workspaces/${workspace.id}/name`)
        .send({ isNameApproved: true, ...seen })
    const seen = { name: 'Rose shop', subDomain: name, title: 'Rose shop', headline: '' }
    await decide(seen).expect(200)
    expect((await visit(name)).status).toBe(200)
    const words = { headline: 'Netflix Login', seo: { title: 'Netflix' } }
    await api.put(`/v1/workspaces/${workspace.id}/website`).send(words).expect(200)
    expect((await visit(name)).status).toBe(403)
    for (const stale of [{ title: seen.title }, { headline: seen.headline }])
      expect((await decide(stale)).body.code).toBe('write_conflict')
    const path = `/api/admin/workspaces/${workspace.id}`
    const { body } = await service.admin(staff).get(path).expect(200)
    expect(body.workspace).toMatchObject({ title: 'Netflix', headline: 'Netflix Login' })
    await decide({ ...seen, title: 'Netflix', headline: 'Netflix Login' }).expect(200)
    expect((await visit(name)).status).toBe(200)
  })

  test('is told to an owner who has but the API', async () => {
    const name = unique('rose').toLowerCase()
    const { workspace, api } = await givenNamed(name)
    const isShown = async () =>
      (await api.get(`/v1/workspaces/${workspace.id}/domains`).expect(200)).body.isNameApproved
    expect(await isShown()).toBe(true)
    const words = { headline: 'PayPal' }
    await api.put(`/v1/workspaces/${workspace.id}/website`).send(words).expect(200)
    expect(await isShown()).toBe(false)
  })

  test('mails staff once a day, and after a decision, however many names a shop takes at once', async () => {
    const staff = await service.givenStaff()
    const name = unique('rose').toLowerCase()
    const { workspace, api } = await givenNamed(name)
    const mails = async () =>
      (await service.mailsTo(staff.email)).filter(({ text }) => text.includes(name)).length
    const root = `/v1/workspaces/${workspace.id}`
    const nameAll = () =>
      all(12, (index) => {
        const words = `PayPal Login ${index}`
        if (index % 3 === 0)
          return api.post(`${root}/domains`).send({ name: domainOf(name, index) })
        if (index % 3 === 1) return api.put(`${root}/website`).send({ headline: words })
        return api.put(`${root}/workspace`).send({ name: words })
      })
    const domainOf = (host: string, index: number) => `paypal-login.${host}-${index}.example`
    expect(tally(await nameAll())).toEqual({ 200: 12 })
    expect(await mails()).toBe(1)
    await api.put(`${root}/workspace`).send({ name: 'PayPal' }).expect(200)
    expect(await mails()).toBe(1)

    const decision = `/api/admin/workspaces/${workspace.id}/name`
    await service.admin(staff).put(decision).send({ isNameApproved: true }).expect(200)
    await api.put(`${root}/workspace`).send({ name: 'Netflix' }).expect(200)
    expect(await mails()).toBe(2)
    service.advance(day - 1)
    await api.put(`${root}/workspace`).send({ name: 'Google' }).expect(200)
    expect(await mails()).toBe(2)
    service.advance(1)
    await api.put(`${root}/workspace`).send({ name: 'Microsoft' }).expect(200)
    expect(await mails()).toBe(3)
  })

  test('leaves a shop in peace that was approved by its name, when it moves', async () => {
    const staff = await service.givenStaff()
    const name = unique('rose').toLowerCase()
    const { workspace, api } = await givenNamed(name, 'PayPal')
    const decision = `/api/admin/workspaces/${workspace.id}/name`
    await service.admin(staff).put(decision).send({ isNameApproved: true }).expect(200)
    const other = unique('lily').toLowerCase()
    const path = `/v1/workspaces/${workspace.id}/workspace`
    await api.put(path).send({ subDomain: other }).expect(200)
    expect((await visit(other)).status).toBe(200)
  })
})
