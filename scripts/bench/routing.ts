import type { Document } from 'openapi-backend'
import { readContract } from '../../src/core/contract_documents.ts'
import { operations } from '../../src/generated/operations.ts'
import type { OperationId } from '../../src/operation.ts'
import { Router } from '../../src/surfaces/call/router.ts'
import { createRoutes, type Route, type RouteTable } from '../../src/surfaces/call/routes.ts'
import { cpuMicroseconds } from './cpu.ts'

type Paths = Record<string, Record<string, { operationId?: string }>>

/** The contract is padded with copies of its operations to this number. */
const operationCount = 100

/** In-process CPU per call of matching and validating: a read, and a write with a body. */
export async function benchRouting(): Promise<{ read: number; write: number }> {
  const { definition, table } = paddedContract()
  const router = new Router(definition)
  await router.init()
  const ids = Object.keys(table) as OperationId[]
  for (const id of ids) router.register(id, () => undefined)
  const routes = createRoutes(ids, { flat: true, table })

  const call = (method: string, path: string, query: object, requestBody: unknown) => {
    const { operationId, params } = routes(method, path) as Route
    const request = {
      method,
      path,
      operationId,
      params,
      query: { ...query },
      headers: {},
      cookies: {},
    }
    return router.handleRequest({ ...request, requestBody } as never)
  }
  const body = { name: 'Gül Kozmetik', billingPhone: '+905551234567', isVisible: true }
  const path = '/v1/workspaces/ws_01k9x5wd8ceq9s2m4h0v3t7b1n/workspace'
  return {
    read: await cpuMicroseconds(50_000, () =>
      call('get', '/v1/workspaces', { page: '2' }, undefined),
    ),
    write: await cpuMicroseconds(50_000, () => call('put', path, {}, { ...body })),
  }
}

function paddedContract(): { definition: Document; table: RouteTable } {
  const document = readContract()
  const paths: Paths = structuredClone(document.paths) as Paths
  const table: Record<string, RouteTable[OperationId]> = { ...operations }
  const originals = Object.entries(operations)
  for (let copy = 0; Object.keys(table).length < operationCount; copy++) {
    const [id, row] = originals[copy % originals.length]!
    const path = row.path.replace(/^\/(v1|api)/, `/$1/copy${copy}`)
    const item = (document.paths as Paths)[row.path]!
    const operation = { ...item[row.method], operationId: `${id}_${copy}` }
    paths[path] = {
      ...(item.parameters ? { parameters: item.parameters } : {}),
      [row.method]: operation,
    }
    table[`${id}_${copy}`] = { ...row, path }
  }
  return { definition: { ...document, paths } as unknown as Document, table: table as RouteTable }
}
