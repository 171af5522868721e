/** Breaks of v1 that stand, with the day and the reason of the decision. */
export interface AcceptedBreaks {
  /** The day of the decision, as in the changelog. */
  readonly date: string
  readonly reason: string
  /** As the comparison names them. */
  readonly breaks: readonly string[]
}

export const acceptedBreaks: readonly AcceptedBreaks[] = [
  {
    date: '2026-11-17',
    reason:
      'A website says its language and which sites embed its assistant: a shop has pages of its own now.',
    breaks: [
      'answer Bootstrap.workspace.website.seo: is open now',
      'answer Bootstrap.workspace.website.theme: is open now',
      'answer Bootstrap.workspace.website: is open now',
      'answer Website: is closed and gains language, embedOrigins',
      'tool get_website answer: is closed and gains language, embedOrigins',
      'tool update_website answer: is closed and gains language, embedOrigins',
    ],
  },
  {
    date: '2026-11-16',
    reason:
      'Chats, routines, faces and bootstrap are open, so that they can gain fields: `citations` came that way.',
    breaks: [
      'answer Bootstrap.viewer: is open now',
      'answer Bootstrap.workspace: is open now',
      'answer Bootstrap: is open now',
      'answer ChatAccess: is open now',
      'answer ChatCredits: is open now',
      'answer Citations[]: is open now',
      'answer FaceAnalysis.analysis.observations[]: is open now',
      'answer FaceAnalysis.analysis: is open now',
      'answer FaceAnalysis: is open now',
      'answer ProductChatAnswer: is open now',
      'answer RoutineChatAnswer: is open now',
      'answer RoutineStep: is open now',
    ],
  },
  {
    date: '2026-11-16',
    reason:
      'Answers that the specification does not list by fields are open, so that they can gain some.',
    breaks: [
      'answer CatalogueHits: is open now',
      'answer MediaUploadUrl: is open now',
      'answer ProductStatistic: is open now',
      'answer ProductStatistics: is open now',
      'answer UnansweredQuestion: is open now',
      'answer UnansweredQuestionList: is open now',
      'tool create_media_upload answer: is open now',
      'tool get_product_statistics answer.products[]: is open now',
      'tool get_product_statistics answer: is open now',
      'tool list_unanswered_questions answer.questions[]: is open now',
      'tool list_unanswered_questions answer: is open now',
      'tool search_catalogue answer.hits[]: is open now',
      'tool search_catalogue answer: is open now',
    ],
  },
  {
    date: '2026-11-16',
    reason:
      'Short answers of tools are open. Agents read the list of tools anew with each connection.',
    breaks: [
      'tool add_collection_product answer: is open now',
      'tool add_collection_tag answer: is open now',
      'tool add_product_tag answer: is open now',
      'tool create_collection answer: is open now',
      'tool patch_product answer: is open now',
      'tool remove_collection_product answer: is open now',
      'tool remove_collection_tag answer: is open now',
      'tool remove_product_tag answer: is open now',
      'tool set_collection_products answer: is open now',
      'tool update_collection answer: is open now',
    ],
  },
  {
    date: '2026-11-16',
    reason:
      'Tools that add and remove tags and products answer ids: a whole collection cost a model thousands of tokens.',
    breaks: [
      'tool add_collection_product answer: no longer has name, slug, description, imageId, image, workspaceId, tags, products, createdAt, updatedAt',
      'tool add_collection_tag answer: no longer has name, slug, description, imageId, image, workspaceId, productIds, tags, products, createdAt, updatedAt',
      'tool add_product_tag answer: no longer has name, brand, slug, description, information, images, tags, sales, sku, barcode, stock, status, createdAt, updatedAt',
      'tool remove_collection_product answer: no longer has name, slug, description, imageId, image, workspaceId, tags, products, createdAt, updatedAt',
      'tool remove_collection_tag answer: no longer has name, slug, description, imageId, image, workspaceId, productIds, tags, products, createdAt, updatedAt',
      'tool remove_product_tag answer: no longer has name, brand, slug, description, information, images, tags, sales, sku, barcode, stock, status, createdAt, updatedAt',
    ],
  },
  {
    date: '2026-11-16',
    reason:
      'With view=summary the rows of these tools are short; in the full view they have every field.',
    breaks: [
      'tool list_collection_products answer.products[]: may lack slug, images, tags, createdAt',
      'tool list_collections answer.collections[]: may lack slug, image, workspaceId, products, createdAt',
    ],
  },
  {
    date: '2026-11-16',
    reason:
      'Strict modes of models want closed objects. Unknown names under query were refused before, too.',
    breaks: [
      'tool get_usage_report.query: is closed now',
      'tool list_collection_products.query: is closed now',
      'tool list_collections.query: is closed now',
      'tool list_feedback.query: is closed now',
      'tool list_media.query: is closed now',
      'tool list_products.query: is closed now',
      'tool list_tags.query: is closed now',
      'tool list_usage_events.query: is closed now',
      'tool list_wallet_entries.query: is closed now',
      'tool list_workspaces.query: is closed now',
    ],
  },
  {
    date: '2026-11-16',
    reason:
      'A list of statuses, written as before on the wire (status=ACTIVE,INACTIVE); a tool still reads a string.',
    breaks: [
      'list_products query status: no longer takes the type string',
      'tool list_products.query.status: no longer takes the type string',
    ],
  },
  {
    date: '2026-11-16',
    reason:
      'A search answers the best matches first; without one the order is -createdAt, as it was.',
    breaks: ['list_products query sort: has another default'],
  },
  {
    date: '2026-11-16',
    reason:
      'These writes take If-Match, and an upload URL ends with the access of the call that made it.',
    breaks: [
      'complete_media_upload 401: is a new status',
      'remove_collection_product 409: is a new status',
      'remove_collection_tag 409: is a new status',
      'remove_product_tag 409: is a new status',
    ],
  },
  {
    date: '2026-11-16',
    reason:
      'The same values or more, without \\p{…}, which many engines cannot compile, and bytes as format: binary.',
    breaks: [
      'request ImageBytes: no longer takes any type',
      'request MediaUpload.fileName: has another pattern',
      'request MediaUploadCreate.fileName: has another pattern',
      'request PersonName: has another pattern',
      'request Picture: has another pattern',
      'request WebsiteUpdate.theme.font: has another pattern',
      'request WorkspaceName: has another pattern',
    ],
  },
  {
    date: '2026-11-16',
    reason:
      'Rows are parts of products only for callers that name `fields`; for all others they are what they were.',
    breaks: [
      'answer CatalogueHits.hits[]: is closed and gains name, brand, slug, description, information, images, tags, sales, sku, barcode, stock, status, createdAt, updatedAt',
      'answer CatalogueHits.hits[]: is open now',
      'answer CatalogueHits.hits[]: no longer has text',
      'answer ProductList.products[]: may lack name, brand, slug, description, information, images, tags, sales, sku, barcode, stock, status, createdAt, updatedAt',
      'tool list_products answer.products[]: may lack name, brand, sku, barcode, stock, status, updatedAt',
      'tool list_products answer.products[]: may lack name, brand, slug, description, information, images, tags, sales, sku, barcode, stock, status, createdAt, updatedAt',
      'tool search_catalogue answer.hits[]: is closed and gains name, brand, slug, description, information, images, tags, sales, sku, barcode, stock, status, createdAt, updatedAt',
      'tool search_catalogue answer.hits[]: no longer has text',
    ],
  },
  {
    date: '2026-11-16',
    reason: 'The pattern of the first release again: ab--cd is a subdomain.',
    breaks: ['request SubDomain: has another pattern'],
  },
  {
    date: '2026-11-16',
    reason: 'The shop answers in its own words, too, and these belong to no product.',
    breaks: ['answer Citations[].productId: may now be of the type null'],
  },
  {
    date: '2026-11-16',
    reason: 'A part of a product has no field that the whole, which is closed, has not.',
    breaks: ['answer ProductPart: is new and closed'],
  },
]
