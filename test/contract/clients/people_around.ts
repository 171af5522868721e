import { withCredits } from '../../every_operation/resources.ts'
import { bodyOf, jsonIn, type Meddling } from '../../kit/peers/relay.ts'
import type { Person, TestService } from '../../kit/service.ts'
import { givenCustomer } from '../../kit/visitors.ts'

/** What people do while a program runs through all operations: buy credits, open the site, ask, read mail, sign in again. */
export function peopleAround(service: TestService, owner: Person, key: string): Meddling {
  const api = service.api(key)
  let workspace = { id: '' }
  const at = (path: string) => `/v1/workspaces/${workspace.id}/experience/${path}`

  async function ask(message: string): Promise<void> {
    const { body } = await api.get(`/v1/workspaces/${workspace.id}/products`).expect(200)
    const [product] = body.products as { id: string }[]
    const { headers } = await givenCustomer({ service, workspace })
    const question = { message, productId: product!.id, thinkingLevel: 'LOW' }
    await api.post(at('chat/product')).set(headers).send(question).expect(200)
  }

  return {
    async before(call) {
      if (call.path.endsWith('/questions/unanswered') && call.method === 'GET')
        for (const message of ['Is it made in Peru?', 'Is it made in Chile?']) await ask(message)
      if (call.path.endsWith('/otp/verify')) {
        const { email } = jsonIn(call) ?? {}
        call.body = bodyOf({ email, code: await service.codeFor(String(email)) })
      }
      if (call.path.endsWith('/experience/customer') && call.method === 'DELETE')
        call.headers['x-visitor-token'] = (await givenCustomer({ service, workspace })).token
      return undefined
    },
    async after(answer, { method, path }) {
      if (method === 'POST' && path === '/v1/workspaces') {
        workspace = { id: String(jsonIn(answer)?.['id']) }
        for (let purchase = 0; purchase < 3; purchase++)
          await withCredits(() => Promise.resolve({}))({ service, owner, workspace })
      }
      if (method === 'PUT' && path.endsWith('/website'))
        await api
          .put(path)
          .send({ accessPolicy: { challenge: 'OFF', customerDailyRequests: 30 } })
          .expect(200)
      return answer
    },
  }
}
