import { newId } from '../../src/core/ids.ts'
import { recordUnanswered } from '../../src/queries/assistant/unanswered_questions.ts'
import { givenMediaRow } from '../kit/catalogue.ts'
import { unique } from '../kit/service.ts'
import { declarationOf } from './operations.ts'
import { aCollection, aTag, create, newIdentity, type Place } from './resources.ts'

export async function aSlug(scene: Place): Promise<{ productSlug: string }> {
  const { id } = await aPublishedProduct(scene)
  const product = scene.service.db.selectFrom('products').select('slug').where('id', '=', id)
  return { productSlug: (await product.executeTakeFirstOrThrow()).slug }
}

export async function aCollectionSlug(scene: Place): Promise<{ collectionSlug: string }> {
  const { id } = await aCollection(scene)
  const collection = scene.service.db.selectFrom('collections').select('slug').where('id', '=', id)
  return { collectionSlug: (await collection.executeTakeFirstOrThrow()).slug }
}

/** A tag on a collection, visible to visitors. */
export async function aPublishedTag(scene: Place): Promise<{ id: string }> {
  const tag = await aTag(scene)
  await create(scene, 'collections', { name: unique('collection'), tagIds: [tag.id] })
  return tag
}

export async function aProduct(scene: Place): Promise<{ id: string }> {
  const example = declarationOf('create_product').bodyExamples[0]
  return create(scene, 'products', { ...example, ...(await newIdentity()) })
}

export async function aPublishedProduct(scene: Place): Promise<{ id: string }> {
  const product = await aProduct(scene)
  const published = scene.service.db.updateTable('products').set({ status: 'ACTIVE' })
  await published.where('id', '=', product.id).execute()
  return product
}

/** A product that was deleted for good. */
export async function aDeletedProduct(scene: Place): Promise<{ id: string }> {
  const product = await aProduct(scene)
  const { service, workspace, owner } = scene
  const { key } = await service.givenKey(owner)
  await service.api(key).delete(`/v1/workspaces/${workspace.id}/products/${product.id}`).expect(200)
  return product
}

/** A product's change whose former values were kept; inserted, because the caller may not be an owner. */
export async function aChange({
  service,
  workspace,
  owner,
}: Place): Promise<Record<string, string>> {
  const change = { id: newId('prod'), activityId: newId('evt') }
  await service.db
    .insertInto('activities')
    .values({
      workspace_id: workspace.id,
      id: change.activityId,
      created_at: service.now(),
      actor_type: 'OWNER',
      user_id: owner.accountId,
      connection_id: '',
      operation: 'patch_product',
      resource_id: change.id,
      resource_name: 'Balm',
      changes: '[]',
      former: JSON.stringify({ stock: 3 }),
    })
    .execute()
  return change
}

/** A workspace has ten at most. */
export async function roomForWebhook({
  service,
  workspace,
}: Place): Promise<Record<string, unknown>> {
  const own = service.db.selectFrom('webhooks').select('id')
  const ids = await own.where('workspace_id', '=', workspace.id).execute()
  // Deliveries of a deleted webhook go with it, while none is under way.
  await service.app.webhooks.flush()
  if (ids.length > 7)
    await service.db.deleteFrom('webhooks').where('workspace_id', '=', workspace.id).execute()
  return {}
}

export async function aWebhook(scene: Place): Promise<{ id: string }> {
  await roomForWebhook(scene)
  return create(scene, 'webhooks', declarationOf('create_webhook').bodyExamples[0] ?? {})
}

export async function aDelivery(scene: Place): Promise<{ id: string; deliveryId: string }> {
  const { id } = await aWebhook(scene)
  return { id, deliveryId: (await create(scene, `webhooks/${id}/test`, {})).id }
}

/** A workspace has five at most, and each once. */
export async function roomForDomain({ service, workspace }: Place): Promise<{ name: string }> {
  const own = service.db.deleteFrom('site_domains').where('workspace_id', '=', workspace.id)
  await own.execute()
  return { name: `${unique('shop')}.example` }
}

/** Inserted, so that there is no end to them. */
export async function aDomain({ service, workspace }: Place): Promise<{ id: string }> {
  const id = newId('dom')
  await service.db
    .insertInto('site_domains')
    .values({
      id,
      workspace_id: workspace.id,
      name: `${unique('shop')}.example`,
      token: 'token',
      created_at: service.now(),
    })
    .execute()
  return { id }
}

/** The address of the shop. */
export async function aPrimaryDomain(scene: Place): Promise<{ id: string }> {
  const { service } = scene
  const { db } = service
  const others = db.updateTable('site_domains').set({ is_primary: false })
  await others.where('workspace_id', '=', scene.workspace.id).execute()
  const { id } = await aDomain(scene)
  const verified = { verified_at: service.now(), is_primary: true }
  await db.updateTable('site_domains').set(verified).where('id', '=', id).execute()
  return { id }
}

/** A row that creates a product. */
export async function aNewRow(): Promise<{ rows: object[] }> {
  const example = declarationOf('create_product').bodyExamples[0]
  return { rows: [{ action: 'create', data: { ...example, ...(await newIdentity()) } }] }
}

/** A plan that changes a new product. */
export async function aChangeSet(scene: Place): Promise<{ id: string }> {
  const { id } = await aProduct(scene)
  return create(scene, 'change-sets', { rows: [{ action: 'patch', id, data: { stock: 3 } }] })
}

export async function anAppliedSet(scene: Place): Promise<{ id: string }> {
  const { id } = await aChangeSet(scene)
  return create(scene, `change-sets/${id}/apply`, {})
}

/** A question that a visitor asked about a new product. */
export async function anUnansweredQuestion(scene: Place): Promise<{ id: string }> {
  const { service, workspace } = scene
  const { id: productId } = await aProduct(scene)
  const asked = { workspaceId: workspace.id, productId, message: unique('Is it good') }
  await service.db.transaction().execute((trx) => recordUnanswered(trx, asked, service.now()))
  return service.db
    .selectFrom('unanswered_questions')
    .select('id')
    .where('workspace_id', '=', workspace.id)
    .where('product_id', '=', productId)
    .executeTakeFirstOrThrow()
}

/** A reply to a question that a visitor asked. */
export async function aReply(scene: Place): Promise<{ id: string }> {
  const { id } = await anUnansweredQuestion(scene)
  await create(scene, `questions/unanswered/${id}`, { answer: 'It is.' })
  return { id }
}

export function aMedium(scene: Place): Promise<{ id: string }> {
  return create(scene, 'media', declarationOf('upload_media').bodyExamples[0] ?? {})
}

/** Inserted, because the dashboard's caller may not be an owner, as an upload needs. */
export async function aMediumWithoutBytes({ service, workspace }: Place): Promise<{ id: string }> {
  return { id: (await givenMediaRow({ service, workspaceId: workspace.id })).id }
}
