import type { ColumnType, Generated } from 'kysely'
import type { components } from '../../generated/types.ts'
import type { StoredColumns } from '../stored_fields.ts'

type Schemas = components['schemas']

type OptionalBytes = ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>

/** Kinds of the change feed. */
type ResourceKind = Schemas['CatalogueChange']['kind']

/** Events that change no resource, which only webhooks report. */
type HappeningKind =
  | 'OUT_OF_STOCK'
  | 'FEEDBACK'
  | 'WALLET_LOW'
  | 'CHANGE_SET_APPLIED'
  | 'CHANGE_SET_WAITING'

export type FeedKind = ResourceKind | HappeningKind
export type FeedAction = Schemas['CatalogueChange']['action']

export interface CatalogueTables {
  tags: StoredColumns<Schemas['TagWrite']> & {
    id: string
    workspace_id: string
    search: string
    created_at: ColumnType<string, Date, never>
    updated_at: ColumnType<string, Date, Date>
  }
  products: StoredColumns<Omit<Schemas['ProductUpdate'], 'imageIds' | 'tagIds'>> & {
    id: string
    workspace_id: string
    slug: string
    name_key: Buffer
    sku_key: Buffer
    barcode_key: Buffer
    /** Second keys, valid only while `turkic_of` matches the first ones. */
    name_turkic_key: OptionalBytes
    sku_turkic_key: OptionalBytes
    barcode_turkic_key: OptionalBytes
    turkic_of: OptionalBytes
    search: string
    /** As in product_tags, in order; a deleted tag may remain. */
    tag_ids: string[]
    /** Null: use the workspace's question library. */
    questions: ColumnType<
      Schemas['ProductQuestion'][] | null,
      string | null | undefined,
      string | null
    >
    created_at: ColumnType<string, Date, never>
    updated_at: ColumnType<string, Date, Date>
    /** The time of the last undo, which also reset `updated_at`. */
    undone_at: ColumnType<string | null, Date | undefined, Date>
  }
  product_images: { workspace_id: string; product_id: string; media_id: string; position: number }
  product_tags: { workspace_id: string; product_id: string; tag_id: string; position: number }
  /** Permanently deleted products, for as long as they can be brought back. */
  kept_products: {
    workspace_id: string
    product_id: string
    deleted_at: ColumnType<string, Date, Date>
    snapshot: ColumnType<unknown, string, string>
  }
  /** Slugs are unique in the whole service; a product's row repeats its own. */
  product_slugs: { slug: string; workspace_id: string; product_id: string }
  collections: StoredColumns<Omit<Schemas['CollectionUpdate'], 'tagIds'>> & {
    id: string
    workspace_id: string
    slug: string
    search: string
    created_at: ColumnType<string, Date, never>
    updated_at: ColumnType<string, Date, Date>
  }
  collection_products: {
    workspace_id: string
    collection_id: string
    product_id: string
    position: number
  }
  collection_tags: {
    workspace_id: string
    collection_id: string
    tag_id: string
    position: number
  }
  /**
   * Maintained by every statement that changes the catalogue; a workspace's totals are the sums of its
   * rows.
   */
  catalogue_counters: {
    workspace_id: string
    slot: number
    products_active: number
    products_inactive: number
    products_deleted: number
    products_out_of_stock: number
    media_total: number
    media_linked: number
    media_multi_linked: number
    tags_total: number
    collections_total: number
    /** Incremented by every change that can affect a product search. */
    changes: number
  }
  /**
   * Its lock orders the commits of a workspace. Together, both numbers are the version of the site's pages.
   */
  feed_heads: {
    workspace_id: string
    /** The number of the workspace's last change in the feed. */
    last: number
    /** Counts all other changes that visitors can see. */
    pages: Generated<number>
  }
  catalogue_changes: {
    workspace_id: string
    number: number
    kind: FeedKind
    resource_id: string
    action: FeedAction
    changed_at: ColumnType<string, Date, never>
  }
  /** Always empty: see `commitHereFirst`. */
  coordinator_writes: {
    written: boolean
  }
}
