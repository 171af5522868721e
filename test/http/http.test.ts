import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openConnection, type RawAnswer } from '../kit/raw_http.ts'
import { bytesOf, expectHouseHeaders, type House, isHead, openHouse } from './house.ts'
import { onApi, type OriginName, originNames, origins, unreadable, type Way } from './ways.ts'

async function send(house: House, origin: OriginName, way: Way): Promise<RawAnswer> {
  const connection = await openConnection(house.service.urls[origin])
  connection.send(bytesOf(house, way))
  const answer = await connection.answer({ toHead: isHead(way) })
  connection.close()
  return answer
}
function expectErrorObject({ status, headers, body }: RawAnswer, code: string) {
  expect(headers['content-type']).toBe('application/json; charset=utf-8')
  expect(headers['cache-control']).toBe('no-store')
  const error = JSON.parse(body)
  expect(error).toMatchObject({ status, code, message: expect.stringMatching(/^[A-Z].*\.$/) })
  const { fieldErrors, ...rest } = error
  expect(Object.keys(rest)).toEqual(['status', 'code', 'message'])
  if (fieldErrors !== undefined) expect(Object.values(fieldErrors)).not.toEqual([])
}

/** The log lines of one request; written once the answer is sent. */
async function linesOf({ service }: House, requestId: string | undefined) {
  const find = () => service.logged().filter((line) => line.requestId === requestId)
  await expect.poll(() => find().length, { message: 'the log line of the request' }).toBe(1)
  return find()
}

describe('every path through the service', () => {
  let house: House
  const requestIds: (string | undefined)[] = []
  beforeAll(async () => {
    house = await openHouse()
  })
  afterAll(() => house.service.close())

  for (const origin of originNames) {
    const ways = [...origins[origin], ...unreadable]
    test.for(ways)(`has the common headers on the ${origin} origin: %s`, async (way) => {
      const [, line, status, { code, operation } = {}] = way
      const answer = await send(house, origin, way)
      requestIds.push(answer.headers['x-request-id'])
      expect(answer.status).toBe(status)
      expectHouseHeaders(origin, answer, way)
      if (code !== undefined) expectErrorObject(answer, code)
      if (isHead(way)) expect(answer.body).toBe('')

      const [logLine] = await linesOf(house, answer.headers['x-request-id'])
      expect(logLine).toMatchObject({ surface: origin, status, msg: 'request' })
      expect(logLine?.operation).toBe(operation)
      expect(JSON.stringify(logLine)).not.toContain('page=1')
      if (code !== undefined && status < 500) expect(logLine?.errorCode).toBe(code)
      if (line === '') return
      const [method, target = ''] = line.split(' ')
      const path = target.split('?')[0]?.replace('{workspaceId}', house.values.workspaceId ?? '')
      expect(logLine).toMatchObject({ method, path })
    })
  }

  test('has a unique request id and one log line', () => {
    expect(new Set(requestIds).size).toBe(requestIds.length)
    const logged = house.service.logged().filter((line) => line.msg === 'request')
    expect(logged.map((line) => line.requestId).sort()).toEqual([...requestIds].sort())
  })

  test('reveals no internals when the service fails', async () => {
    for (const title of ['a fault of the service', 'an outage']) {
      const way = onApi.find(([name]) => name === title) as Way
      const { body } = await send(house, 'api', way)
      expect(body).not.toMatch(/inside|10\.0\.0\.7|ECONNREFUSED/)
    }
  })
})
