import { expect, test } from 'vitest'
import { requireOwnOrigin } from '../../src/surfaces/call/own_origin.ts'

const own = 'https://dashboard.example'
const judge = (method: string, origin?: string) => () =>
  requireOwnOrigin({ method, headers: origin === undefined ? {} : { origin } }, own)

test.each(['post', 'put', 'patch', 'delete'])(
  '%s is accepted from its own pages alone',
  (method) => {
    expect(judge(method, own)).not.toThrow()
    const refusal = expect.objectContaining({ code: 'origin_refused', status: 403 })
    for (const origin of [undefined, '', 'null', `${own}.site.example`, 'https://site.example'])
      expect(judge(method, origin)).toThrow(refusal)
  },
)

test.each(['get', 'head'])('%s is accepted from anywhere', (method) => {
  for (const origin of [undefined, own, 'https://site.example'])
    expect(judge(method, origin)).not.toThrow()
})
