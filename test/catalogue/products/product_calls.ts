import type { Product, Shop } from '../../kit/catalogue.ts'

export const create = (shop: Shop, body: object) => shop.api.post(shop.at('products')).send(body)
export const update = (shop: Shop, id: string, body: object) =>
  shop.api.put(shop.at(`products/${id}`)).send(body)
export const read = async (shop: Shop, id: string) =>
  (await shop.api.get(shop.at(`products/${id}`))).body as Product
