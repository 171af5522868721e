// Generated from openapi.yaml by `npm run codegen`. Do not edit.

export interface paths {
    "/v1/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the account
         * @description The account that gave its consent, with the number of workspaces it may own. Takes no workspace. A tool for agents only: there is no REST route for it.
         */
        get: operations["get_account"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List workspaces
         * @description The workspaces that the account owns, oldest first, with the policy that says whether it may create another. Start here to learn the workspaceId that every other call needs.
         */
        get: operations["list_workspaces"];
        put?: never;
        /**
         * Create a workspace
         * @description Creates a workspace owned by the account, with its subdomain and template. A phone number is required for the customized template. Refused with 400 when the limit is reached or the subdomain is reserved, taken or held. Pages of a name or subdomain that passes for a company are hidden until a person approves it.
         */
        post: operations["create_workspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List website templates
         * @description Whether each asks for a phone number. Use a key from this list as templateKey.
         */
        get: operations["list_templates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/workspace": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * Get the workspace profile
         * @description Names, business contact and agent instructions. Its ETag can be sent back as If-Match with an update.
         */
        get: operations["get_workspace"];
        /**
         * Update the workspace profile
         * @description Changes the fields that are given and keeps the others; all of them apply or none. A new billingEmail needs the billingEmailCode that the dashboard sent to it. The subdomain can change once in 30 days. Pages of a name or subdomain that passes for a company are hidden until a person approves it.
         */
        put: operations["update_workspace"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/website": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * Get the website configuration
         * @description Theme, texts, contact, search engine texts and the access policy of the workspace's public site. Its ETag can be sent back as If-Match with an update.
         */
        get: operations["get_website"];
        /**
         * Update the website configuration
         * @description Changes the given fields and keeps the others, inside theme, seo and accessPolicy too; all of them apply or none. Lists are replaced as a whole. Pages whose title or headline passes for a company are hidden until a person approves it.
         */
        put: operations["update_website"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/search": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * Search the catalogue
         * @description Finds products, collections, tags and images by words and answers an id and one line for each: the shortest way to an id. The kinds that the caller may not read are left out. With fields, it finds products alone and answers these fields of them.
         */
        get: operations["search_catalogue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * Follow changes
         * @description What was written or deleted since a cursor, in the order of commits: read the resource again by its id (of WEBSITE, the workspace's). Go on from cursor while hasMore, then ask again later; nothing ever appears behind a cursor. Kept for 30 days. Kinds that the caller may not read are left out.
         */
        get: operations["list_changes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/products": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * List products
         * @description The products of the workspace, inactive and deleted ones too, newest first unless sorted otherwise; a search puts the best matches first. view=summary clips long texts, marked as such, and has the first image alone; the tool then leaves texts, images, tags and links out. With fields, products have these alone. summary counts the whole workspace, pagination what the filters leave.
         */
        get: operations["list_products"];
        put?: never;
        /**
         * Create a product
         * @description Creates a product with images and tags of this workspace, in the order given. Name, SKU and barcode are unique among products that are not DELETED. Keep unverified imports INACTIVE until they are reviewed.
         */
        post: operations["create_product"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/products/export": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * Export products
         * @description Every product that the filters leave, as CSV or as a JSON object a line, streamed. Imported again it changes nothing: lists in a cell are separated by |, with |, = and \ escaped by \; a cell that begins with =, +, -, @ or a tab gets an apostrophe, which the import takes away.
         */
        get: operations["export_products"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/products/batch": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Write many products
         * @description Creates, changes and deletes up to 100 products, by id or SKU. Rows are independent: a row that fails says why and the others are written; with atomic, all are written or none. In a patch, stock may be {add: n}, and addTagIds, removeTagIds, addToCollectionIds and removeFromCollectionIds stand beside the fields. undo_change_set takes it back. Ten rows count as one request.
         */
        post: operations["write_products"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/products/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_products.
                 * @example prod_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfProduct"];
            };
            cookie?: never;
        };
        /**
         * Get a product
         * @description One product of any status with its images, tags and sales links. Read it before an update: an update takes every editable value.
         */
        get: operations["get_product"];
        /**
         * Update a product
         * @description Replaces every editable value, so read the product first and send all of them. The slug stays. Send the ETag as If-Match to be told when somebody else wrote in between.
         */
        put: operations["update_product"];
        post?: never;
        /**
         * Delete a product
         * @description Deletes the product for good and removes it from collections; its images and tags stay. To hide a product and keep it, set its status to DELETED instead.
         */
        delete: operations["delete_product"];
        options?: never;
        head?: never;
        /**
         * Change some values of a product
         * @description Changes only the values that are sent, such as stock or status; everything else stays as it is. Lists replace the whole list. The slug stays.
         */
        patch: operations["patch_product"];
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/products/{id}/tags/{tagId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_products.
                 * @example prod_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfProduct"];
                /**
                 * @description A tag of the workspace.
                 * @example tag_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                tagId: components["parameters"]["TagId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a tag to a product
         * @description It comes last. Adding a tag of this workspace that is there already changes nothing and succeeds. A product has at most 100 tags.
         */
        post: operations["add_product_tag"];
        /**
         * Remove a tag from a product
         * @description The tag itself stays. Removing a tag that is not there changes nothing and succeeds.
         */
        delete: operations["remove_product_tag"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/collections": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * List collections
         * @description Newest first, each with all productIds and its first 4 products; view=summary is a seventh as long. It clips descriptions and leaves the products out; the tool then leaves the image, slug and creation out, too.
         */
        get: operations["list_collections"];
        put?: never;
        /**
         * Create a collection
         * @description Creates a collection with products, tags and an image of this workspace. Later, set_collection_products replaces the products and add_collection_product adds one.
         */
        post: operations["create_collection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/collections/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_collections.
                 * @example coll_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfCollection"];
            };
            cookie?: never;
        };
        /**
         * Get a collection
         * @description One collection with its tags, its image and all its products in their order. view=summary clips the description and leaves products empty; productIds is complete. If-Match takes the ETag of the full view.
         */
        get: operations["get_collection"];
        /**
         * Update a collection
         * @description Replaces every editable value of the collection, so read it first and send all of them. Its products and its slug stay.
         */
        put: operations["update_collection"];
        post?: never;
        /**
         * Delete a collection
         * @description Deletes the collection for good. The products in it, its tags and its image stay.
         */
        delete: operations["delete_collection"];
        options?: never;
        head?: never;
        /**
         * Change some values of a collection
         * @description Changes only the values that are sent, at least one; everything else stays as it is, the slug always. Lists replace the whole list.
         */
        patch: operations["patch_collection"];
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/collections/{id}/products": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_collections.
                 * @example coll_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfCollection"];
            };
            cookie?: never;
        };
        /**
         * List the products of a collection
         * @description The products of one collection in their order, with search over name, brand, SKU, barcode and slug. view=summary has the first image alone; the tool then leaves images, tags, slug and creation out.
         */
        get: operations["list_collection_products"];
        /**
         * Set the products of a collection
         * @description Gives the collection exactly these products in this order: to fill, reorder or empty it. A collection holds at most 1,000 products.
         */
        put: operations["set_collection_products"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/collections/{id}/products/{productId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_collections.
                 * @example coll_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfCollection"];
                /**
                 * @description A product of the workspace.
                 * @example prod_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                productId: components["parameters"]["ProductId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a product to a collection
         * @description It comes last. Adding a product of this workspace that is there already changes nothing and succeeds. A collection holds at most 1,000 products.
         */
        post: operations["add_collection_product"];
        /**
         * Remove a product from a collection
         * @description The product itself stays. Removing one that is not there changes nothing and succeeds.
         */
        delete: operations["remove_collection_product"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/collections/{id}/tags/{tagId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_collections.
                 * @example coll_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfCollection"];
                /**
                 * @description A tag of the workspace.
                 * @example tag_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                tagId: components["parameters"]["TagId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a tag to a collection
         * @description It comes last. Adding a tag of this workspace that is there already changes nothing and succeeds. A collection has at most 100 tags.
         */
        post: operations["add_collection_tag"];
        /**
         * Remove a tag from a collection
         * @description The tag itself stays. Removing a tag that is not there changes nothing and succeeds.
         */
        delete: operations["remove_collection_tag"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/tags": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * List tags
         * @description The tags of the workspace by name, with search. Use the ids in tagIds of products and collections.
         */
        get: operations["list_tags"];
        put?: never;
        /**
         * Create a tag
         * @description Creates a tag. Names need not be unique, so look with list_tags first whether the tag exists.
         */
        post: operations["create_tag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/tags/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_tags.
                 * @example tag_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfTag"];
            };
            cookie?: never;
        };
        /**
         * Get a tag
         * @description One tag of the workspace by its id, as it appears on products and collections.
         */
        get: operations["get_tag"];
        /**
         * Rename a tag
         * @description Gives the tag another name, which shows on every product and collection that has it.
         */
        put: operations["update_tag"];
        post?: never;
        /**
         * Delete a tag
         * @description Deletes the tag for good and takes it off every product and collection.
         */
        delete: operations["delete_tag"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/products/{id}/questions": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_products.
                 * @example prod_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfProduct"];
            };
            cookie?: never;
        };
        /**
         * Get the questions of a product
         * @description The questions shown beside a product. Without its own, a product uses the library of the workspace, and usesDefaults is true.
         */
        get: operations["get_product_questions"];
        /**
         * Set the questions of a product
         * @description Replaces all, at most 20. A question that is sent with its id keeps it.
         */
        put: operations["update_product_questions"];
        post?: never;
        /**
         * Reset the questions of a product
         * @description Removes the questions of the product, which then uses the library of the workspace again. Answers the resulting set.
         */
        delete: operations["reset_product_questions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/questions": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * Get the question library
         * @description The questions that every product without questions of its own shows.
         */
        get: operations["get_question_library"];
        /**
         * Set the question library
         * @description Replaces all, at most 50. A question that is sent with its id keeps it; one without it is new.
         */
        put: operations["update_question_library"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/questions/unanswered": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * List unanswered questions
         * @description What visitors asked and products do not say. Each wording stands once for a product, the most asked first. Reply with answer_question or put one aside with dismiss_question.
         */
        get: operations["list_unanswered_questions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/questions/unanswered/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_unanswered_questions.
                 * @example qst_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfQuestion"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a visitor's question
         * @description Stores the reply with its question, which chats try first when it or a like one is asked again, and takes the question off the list. With addToLibrary the question also joins the question library; with `to` the reply can join the shop knowledge instead of the product.
         */
        post: operations["answer_question"];
        /**
         * Dismiss a visitor's question
         * @description Takes an unanswered question off the list without a reply. It comes back if a visitor asks it again and the product still does not say.
         */
        delete: operations["dismiss_question"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/questions/replies": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * List replies to questions
         * @description The replies given with answer_question, the latest first. Chats try them before the product's texts. Change one with update_question_reply, or delete it.
         */
        get: operations["list_question_replies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/questions/replies/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_question_replies.
                 * @example qst_01k9x5wd8ceq9s2m4h0v3t7b2r
                 */
                id: components["parameters"]["IdOfReply"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Change a reply
         * @description Replaces what visitors read when the question of this reply is asked again.
         */
        put: operations["update_question_reply"];
        post?: never;
        /**
         * Delete a reply
         * @description Deletes a reply for good. Its question is answered from the product's texts again, or listed as unanswered when a visitor asks it.
         */
        delete: operations["delete_question_reply"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/shop-knowledge": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * Get the shop knowledge
         * @description What the shop answers of itself, such as shipping and returns. Chats use these answers, and the site shows them as a page of questions.
         */
        get: operations["get_shop_knowledge"];
        /**
         * Set the shop knowledge
         * @description Replaces all entries, at most 100. Both chats give an answer word for word, as the shop's own, to whoever asks its question or a like one.
         */
        put: operations["update_shop_knowledge"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/ai-settings": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * Get the AI settings
         * @description Which AI modes visitors may use, and the sector that shapes the answers.
         */
        get: operations["get_ai_settings"];
        /**
         * Update the AI settings
         * @description Switches the fast and the comprehensive mode on or off and sets the sector. Send every value.
         */
        put: operations["update_ai_settings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/synonyms": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * Get the synonyms
         * @description Words that mean the same in this shop, in groups. Search and chats take each for the others of its group.
         */
        get: operations["get_synonyms"];
        /**
         * Update the synonyms
         * @description Replaces all groups of synonyms. Add the words of visitors that products do not use, such as a trade name or a local word.
         */
        put: operations["update_synonyms"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/media": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * List media
         * @description The images of the workspace, newest first, with how often each is used and search over file names. summary counts the whole library.
         */
        get: operations["list_media"];
        put?: never;
        /**
         * Upload an image
         * @description Answers its id for imageIds. The image is sent as base64, at most 3 MiB of it. The bytes are checked; metadata such as the place of a photograph is removed.
         */
        post: operations["upload_media"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/media/import": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import media
         * @description Stores the image at a public https URL, at most 10 MiB, as upload_media does, and answers its id for imageIds. Up to three redirects are followed; private addresses and other ports are refused, and the whole fetch may take 15 seconds.
         */
        post: operations["import_media"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/media/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_media.
                 * @example med_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfMedia"];
            };
            cookie?: never;
        };
        /**
         * Get an image
         * @description What is known of one image: name, type, size, use and the address its bytes are served at.
         */
        get: operations["get_media"];
        /**
         * Replace an image
         * @description Stores other bytes under the same id: everything that shows the image shows the new one. Its url changes; the earlier one answers the earlier bytes for 30 days.
         */
        put: operations["replace_media"];
        post?: never;
        /**
         * Delete an image
         * @description Deletes the image for good and takes it off products, collections and the website. Its urls end, those of replaced bytes, too.
         */
        delete: operations["delete_media"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/media/upload": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload image files
         * @description Stores up to 12 image files of at most 10 MiB each, sent as multipart/form-data in the field files. All of them are stored or none.
         */
        post: operations["upload_media_files"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * List webhooks
         * @description The webhooks of the workspace, the oldest first. Their secrets are not shown again.
         */
        get: operations["list_webhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description Tells a URL of yours what happens in the workspace from now on, signed as Standard Webhooks say. The answer has the secret, once. At most 10 a workspace; the URL is https, of a public host, on port 443.
         */
        post: operations["create_webhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description The webhook's id.
                 * @example wh_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfWebhook"];
            };
            cookie?: never;
        };
        /**
         * Get a webhook
         * @description One webhook of the workspace by its id, and since when its receiver has failed.
         */
        get: operations["get_webhook"];
        /**
         * Change a webhook
         * @description Changes what is named; the rest and the secret stay. With status ACTIVE, one that was disabled goes on with what happens from now on.
         */
        put: operations["update_webhook"];
        post?: never;
        /**
         * Delete a webhook
         * @description Deletes the webhook, its secret and its deliveries. What has not been delivered never will be.
         */
        delete: operations["delete_webhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/webhooks/{id}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description The webhook's id.
                 * @example wh_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfWebhook"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a webhook another secret
         * @description Answers a new secret, once. For 24 hours deliveries carry the signatures of both, so that receivers can change over.
         */
        post: operations["rotate_webhook_secret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description The webhook's id.
                 * @example wh_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfWebhook"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test a webhook
         * @description Sends one webhook.test to the URL, whatever the events and the status of the webhook are. list_webhook_deliveries says how it went; it is not tried again.
         */
        post: operations["test_webhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description The webhook's id.
                 * @example wh_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfWebhook"];
            };
            cookie?: never;
        };
        /**
         * List deliveries of a webhook
         * @description What was sent to the URL in the last 30 days, the newest first, and how the receiver answered.
         */
        get: operations["list_webhook_deliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/webhooks/{id}/deliveries/{deliveryId}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description The webhook's id.
                 * @example wh_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfWebhook"];
                /**
                 * @description The delivery's id.
                 * @example msg_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                deliveryId: components["parameters"]["DeliveryId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery again
         * @description Sends the same message with the same webhook-id again, also one that was delivered. It is tried anew for up to 3 days.
         */
        post: operations["resend_webhook_delivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/domains": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * List domains
         * @description The domains of its own at which the shop's pages are, or will be once they are verified, the oldest first. Also says whether the pages are shown at all, or wait for a person.
         */
        get: operations["list_domains"];
        put?: never;
        /**
         * Add a domain
         * @description Adds a domain of yours for the shop's pages. Create the TXT record that the answer names, lead the domain to the shop's subdomain (CNAME), then call verify_domain. At most 5 a workspace. A name that passes for a company, such as `paypal-login.com`, is not led to the shop until a person approves it.
         */
        post: operations["create_domain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/domains/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description The domain's id.
                 * @example dom_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfDomain"];
            };
            cookie?: never;
        };
        /**
         * Get a domain
         * @description One domain of the workspace by its id, with the record that verifies it and what the last look at that record found.
         */
        get: operations["get_domain"];
        /**
         * Choose the primary domain
         * @description Makes a verified domain the primary one: it is the address of the shop's pages, and the subdomain and all other domains lead there (308). Without one, the subdomain is the address.
         */
        put: operations["update_domain"];
        post?: never;
        /**
         * Remove a domain
         * @description Removes the domain: the shop's pages are not there any more, and it gets no certificate. If it was the primary one, the subdomain is the address again.
         */
        delete: operations["delete_domain"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/domains/{id}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description The domain's id.
                 * @example dom_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfDomain"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify a domain
         * @description Looks the TXT record up now. With it the domain is VERIFIED, and its certificate is made at the first visit; else the answer says the problem. 409 if another workspace's record is there, too.
         */
        post: operations["verify_domain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/change-sets": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * List change sets
         * @description The plans of the workspace and what became of them, newest first. Those of the last 30 days can be undone.
         */
        get: operations["list_change_sets"];
        put?: never;
        /**
         * Plan changes of many products
         * @description Plans rows as write_products takes them, or one change of every product that matches, and writes nothing: apply_change_set does. Over 1,000 products the plan goes on in the background. So does one of a file that names more than 12 pictures by their URLs, each of which is fetched once and kept in the media library.
         */
        post: operations["create_change_set"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/change-sets/upload": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a file of products
         * @description Reads a file of up to 50 MB and 100,000 rows, sent as multipart/form-data, and answers which column is taken for which field; create_change_set plans it. Kept for one day, the last ten of a workspace. CSV may be UTF-8, UTF-16 or Windows-1254, separated by commas, semicolons or tabs; JSON is a list of objects.
         */
        post: operations["upload_change_set_file"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/change-sets/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_change_sets.
                 * @example cs_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfChangeSet"];
            };
            cookie?: never;
        };
        /**
         * Get a change set
         * @description Its state, what its rows do, and how far its present step has come.
         */
        get: operations["get_change_set"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/change-sets/{id}/rows": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_change_sets.
                 * @example cs_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfChangeSet"];
            };
            cookie?: never;
        };
        /**
         * List the rows of a change set
         * @description What each row changes, before and after, or why it cannot. Long texts are cut.
         */
        get: operations["list_change_set_rows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/change-sets/{id}/plan": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_change_sets.
                 * @example cs_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfChangeSet"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Plan a change set again
         * @description Reads the catalogue again and checks every row of the plan against it.
         */
        post: operations["plan_change_set"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/change-sets/{id}/apply": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_change_sets.
                 * @example cs_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfChangeSet"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Apply a change set
         * @description Writes all rows of a plan or none. Refused while rows have errors, unless they are skipped, and where a product has changed since the plan: plan again.
         */
        post: operations["apply_change_set"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/change-sets/{id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_change_sets.
                 * @example cs_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfChangeSet"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo a change set
         * @description Puts every product back exactly as it was, within 30 days. Nothing is undone if one of them has changed since, lost a picture or tag that it had, or if another has its former name, SKU or barcode by now; the refusal names it.
         */
        post: operations["undo_change_set"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/change-sets/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_change_sets.
                 * @example cs_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfChangeSet"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a change set
         * @description Gives up a plan that was not applied. One that waits to be is given up, too; refused with 409 while it is being written.
         */
        post: operations["cancel_change_set"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/feedback": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * List feedback
         * @description What visitors of the site have written to the shop, newest first. userId is the customer who wrote it, null for a guest.
         */
        get: operations["list_feedback"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/feedback/export": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * Export feedback
         * @description All that visitors have written to the shop, newest first, as CSV: id, createdAt, userId and message. Visitors wrote the messages.
         */
        get: operations["export_feedback"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/experience/bootstrap": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * Start a visit
         * @description What a site must know to greet a visitor: its public configuration, who may see it and who is looking. Send X-Guest-Device-Id or X-Visitor-Token. Gives a device a guest token for 90 days, or a new one. Answers at a closed site, too.
         */
        get: operations["get_bootstrap"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/experience/products": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * List published products
         * @description The published products of the shop, newest first unless sorted otherwise, with search. Only ACTIVE products are here, and the totals count those of them that the filters leave.
         */
        get: operations["list_published_products"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/experience/products/{productId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description A product of the workspace.
                 * @example prod_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                productId: components["parameters"]["ProductId"];
            };
            cookie?: never;
        };
        /**
         * Get a published product
         * @description One published product by its id. A product that is not ACTIVE answers as one that does not exist.
         */
        get: operations["get_published_product"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/experience/products/{productId}/questions": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description A product of the workspace.
                 * @example prod_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                productId: components["parameters"]["ProductId"];
            };
            cookie?: never;
        };
        /**
         * List the questions of a published product
         * @description The questions to suggest beside one published product: its own, or those of the library if it has none. A product that is not ACTIVE answers as one that does not exist.
         */
        get: operations["list_published_product_questions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/experience/products/slug/{productSlug}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description The slug of a product.
                 * @example rose-balm
                 */
                productSlug: components["parameters"]["ProductSlug"];
            };
            cookie?: never;
        };
        /**
         * Get a published product by its slug
         * @description One published product by the slug of its address, which stays the same when the product is renamed. A product that is not ACTIVE answers as one that does not exist.
         */
        get: operations["get_published_product_by_slug"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/experience/collections": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * List collections of the shop
         * @description The collections of the shop, newest first, with search. productIds and products hold published products only, products the first 20 of them.
         */
        get: operations["list_published_collections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/experience/collections/{collectionId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description A collection of the workspace.
                 * @example coll_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                collectionId: components["parameters"]["CollectionId"];
            };
            cookie?: never;
        };
        /**
         * Get a collection of the shop
         * @description One collection by its id. productIds and products hold published products only, products the first 20 of them; list_published_collection_products pages through all.
         */
        get: operations["get_published_collection"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/experience/collections/slug/{collectionSlug}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description The slug of a collection.
                 * @example evening
                 */
                collectionSlug: components["parameters"]["CollectionSlug"];
            };
            cookie?: never;
        };
        /**
         * Get a collection of the shop by its slug
         * @description One collection by the slug of its address, which stays the same when the collection is renamed. productIds and products hold published products only, products the first 20 of them.
         */
        get: operations["get_published_collection_by_slug"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/experience/collections/{collectionId}/products": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description A collection of the workspace.
                 * @example coll_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                collectionId: components["parameters"]["CollectionId"];
            };
            cookie?: never;
        };
        /**
         * List the published products of a collection
         * @description The published products of one collection, in its order unless sorted otherwise, with search. Totals count those of them that the filters leave.
         */
        get: operations["list_published_collection_products"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/experience/tags": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * List tags of the shop
         * @description The tags by name that lead somewhere: those with a published product or with a collection. With search.
         */
        get: operations["list_published_tags"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/experience/tags/{tagId}/products": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description A tag of the workspace.
                 * @example tag_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                tagId: components["parameters"]["TagId"];
            };
            cookie?: never;
        };
        /**
         * List the published products with a tag
         * @description The published products that carry this tag, newest first unless sorted otherwise, with search. Totals count those of them that the filters leave.
         */
        get: operations["list_published_tag_products"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/experience/tags/{tagId}/collections": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description A tag of the workspace.
                 * @example tag_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                tagId: components["parameters"]["TagId"];
            };
            cookie?: never;
        };
        /**
         * List the collections with a tag
         * @description The collections that carry this tag, newest first, with search. productIds and products hold published products only.
         */
        get: operations["list_published_tag_collections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/experience/customer/otp/request": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request a sign-in code
         * @description Mails the visitor a six-digit code, valid for ten minutes and usable once. The answer is the same whether or not the address is known. A new code can be asked for after 60 seconds. The site's policy may ask for a challengeToken. The mail is in the customer's language, else that of Accept-Language, else the shop's. An account that has bought no credits mails to 50 addresses a day.
         */
        post: operations["request_customer_code"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/experience/customer/otp/verify": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a code
         * @description Exchanges the mailed code for a customer session of 365 days, which every use renews. The first sign-in of an address creates the customer. The fifth wrong code makes the code unusable. Keep the token on a server, bound to the visitor's own session.
         */
        post: operations["verify_customer_code"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/experience/customer/session": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * Get the session
         * @description The customer who is signed in and when the session ends. Needs X-Visitor-Token.
         */
        get: operations["get_customer_session"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/experience/customer/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Renew the session
         * @description Gives the session its full time again, from now; any other use does so once a day. The token stays the same, so that a lost answer signs nobody out. Needs X-Visitor-Token.
         */
        post: operations["refresh_customer_session"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/experience/customer/logout": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign out
         * @description Revokes the session of X-Visitor-Token at once. Other sessions of the same customer stay signed in.
         */
        post: operations["log_out_customer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/experience/customer": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete the customer
         * @description Deletes the customer who is signed in for good: profile, sessions, conversations, feedback, questions, visits, mail that waits to be sent, and the name on what was counted. Whoever signs in with the address again begins anew. Needs X-Visitor-Token.
         */
        delete: operations["delete_customer"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/experience/customer/profile": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * Get the profile
         * @description The profile of the customer who is signed in. Its ETag can be sent back as If-Match with an update. Needs X-Visitor-Token.
         */
        get: operations["get_customer_profile"];
        /**
         * Update the profile
         * @description Replaces name, phone and language of the customer who is signed in. The email cannot be changed here and must be sent as it is. Needs X-Visitor-Token.
         */
        put: operations["update_customer_profile"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/experience/chat/product": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Chat about a product
         * @description Answers a visitor's question about a published product, from the catalogue alone. Costs 1 credit at LOW, 2 at MEDIUM, 4 at HIGH; nothing if it fails, greets, or the catalogue does not say. Send the threadId back to go on with the conversation. With an Idempotency-Key a retry is never charged twice.
         */
        post: operations["chat_about_product"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/experience/chat/routine": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Chat about a routine
         * @description Puts a routine together out of the products that the visitor has chosen and, if allowed, other published ones. Costs 2 credits at LOW, 4 at MEDIUM, 8 at HIGH, and 1 more for each picture; what fails or finds no product costs nothing. Pictures are not stored.
         */
        post: operations["chat_about_routine"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/experience/chat/analyze-face": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Describe a face
         * @description Describes how the skin of the one face in a picture looks, and names products that speak of it; it judges and diagnoses nothing, and the picture is not stored. Costs 5 credits. A picture without exactly one face (400 no_face), or too dark, small or blurred to tell anything, is refused and costs nothing.
         */
        post: operations["analyze_face"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/experience/threads": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * List conversations
         * @description The conversations of this visitor in this workspace, the latest first, until they are deleted or end by themselves. Send a threadId with a chat to go on with it.
         */
        get: operations["list_threads"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/experience/threads/{threadId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description A conversation, as a chat answered it.
                 * @example wst_dev_mH3wqJ8x1nZ0yT5cV7bK2sD4fG6hL9pR0aE3uI8oYzM4tQ2wXk
                 */
                threadId: components["parameters"]["ThreadId"];
            };
            cookie?: never;
        };
        /**
         * Get a conversation
         * @description What was said in a conversation of this visitor, the oldest first: its latest 20 turns, and the products that they are about. A conversation of anybody else is not found.
         */
        get: operations["get_thread"];
        put?: never;
        post?: never;
        /**
         * Delete a conversation
         * @description Removes a conversation of this visitor in this workspace, with everything that was said in it. A conversation of anybody else is not found.
         */
        delete: operations["delete_thread"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/experience/feedback": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Write feedback
         * @description Hands the shop a message of the current visitor, a guest or a customer. The shop reads it with list_feedback.
         */
        post: operations["create_feedback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/experience/events": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record an event
         * @description Counts what the current visitor has done: a page, product or collection looked at, a click, or something of the site's own. Products and collections must be published ones.
         */
        post: operations["record_event"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/media/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get an upload URL
         * @description To it the bytes of one image are PUT without a credential, for files too large to pass through a model. It is good for ten minutes, once, and for exactly this type and size; it ends with the key or session that asked for it.
         */
        post: operations["create_media_upload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/uploads/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The secret at the end of a URL from create_media_upload.
                 * @example wsu_dev_example
                 */
                token: components["parameters"]["UploadToken"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Upload to a URL
         * @description Stores the image whose bytes are the body, as upload_media does. Bytes that are refused leave the URL usable; once they are stored, every further PUT is 409, and of several at once one is stored. A URL that has expired, or whose key was revoked, is 404; one of the other environment is 401.
         */
        put: operations["complete_media_upload"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/wallet": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * Get the wallet
         * @description The prepaid AI credits: balance is the sum of all entries, reserved what running AI calls hold, available the rest. In debt, AI calls are refused.
         */
        get: operations["get_wallet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/wallet/entries": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * List wallet entries
         * @description The ledger of the wallet, newest first: purchases, refunds, usage and adjustments with the balance after each.
         */
        get: operations["list_wallet_entries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * Get the usage report
         * @description Who used the workspace, one row per actor, the latest first; guests share a row. totals cover every page.
         */
        get: operations["get_usage_report"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/usage/products": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * Get views and questions by product
         * @description How often visitors viewed each product and asked the AI about it, the most viewed first. Others are left out.
         */
        get: operations["get_product_statistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/usage/events": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * List usage events
         * @description What was done in the workspace between two UTC dates, newest first, with the credits it took or brought.
         */
        get: operations["list_usage_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/wallet/entries/export": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * Export wallet entries
         * @description The whole ledger of the wallet, newest first, as CSV: id, createdAt, type, credits, balanceAfter, reference and reason.
         */
        get: operations["export_wallet_entries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/usage/events/export": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * Export usage events
         * @description What was done in the workspace between two dates, newest first, as CSV, with a column for each field of a usage event.
         */
        get: operations["export_usage_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspaces/{workspaceId}/activity": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * List what was changed
         * @description Who changed what in the last 400 days, newest first; groupBy=actor answers "what changed and by whom" in short groups. Each write has the changed fields before and after, a deletion the product as it was. Writes whose resources the caller may not read are left out.
         */
        get: operations["list_activity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the dashboard configuration
         * @description What a page must know before anybody has signed in: the environment and whether third-party sign-in is set up.
         */
        get: operations["get_config"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/session/code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request a sign-in code
         * @description Mails a six-digit code, valid for ten minutes and usable once. The answer is the same whether or not the address has an account; a new code can be asked for after 60 seconds. After 20 wrong codes in a day the mail has a link, too; once the address's codes are used up, the link alone. A browser that signed in before has codes of its own.
         */
        post: operations["request_session_code"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the session
         * @description Who is signed in, and the workspaces the person is an active member of, with the role in each.
         */
        get: operations["get_session"];
        put?: never;
        /**
         * Sign in with a code
         * @description Exchanges the mailed code for a session cookie that lasts 30 days and slides while it is used. The first sign-in of an address creates its account, in the best of the languages that the browser asks for. The fifth wrong code makes the code unusable. A second cookie marks the browser for a year: the address has codes and tries of its own there.
         */
        post: operations["create_session"];
        /**
         * Sign out
         * @description Revokes the session at once and removes its cookie. Other sessions of the same account stay signed in.
         */
        delete: operations["delete_session"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the own account
         * @description The account of the person who is signed in, as agents see it through get_account.
         */
        get: operations["get_own_account"];
        /**
         * Update the own account
         * @description Replaces name, phone and language of the account. The email address changes by a code that is sent to the new address.
         */
        put: operations["update_own_account"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/email/code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request a code for a new email address
         * @description Mails a six-digit code to the new address. The answer is the same whether or not another account uses the address.
         */
        post: operations["request_account_email_code"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change the email address
         * @description Moves the account to the new address when the code that was mailed to it is right. A wrong code is refused at its field. The old address is told, with a link that takes the change back.
         */
        put: operations["update_account_email"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/email/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take back a change of the email address
         * @description Takes back a change with the token in the mail to the old address, within 7 days and once. The account has its old address again; all of its sessions end, and so do keys and agents that were added since the change.
         */
        post: operations["undo_account_email"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description The account's keys, newest first, expired and revoked ones included for 90 days; never a key itself, only the prefix it begins with.
         */
        get: operations["list_keys"];
        put?: never;
        /**
         * Create an API key
         * @description Creates a key with explicit scopes and an expiry of 1 to 365 days. The secret is in this answer and nowhere else: it is stored as a hash and cannot be shown again. An account has at most 100 keys that are neither expired nor revoked.
         */
        post: operations["create_key"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/trials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a trial of the site
         * @description Creates a key for one day that can do only what visitors need, in one workspace that the account owns, and ends the account's trial before. What happens with it is recorded as TRIAL and counts neither as a visit nor as a visitor's question. It is listed and revoked like any other key.
         */
        post: operations["start_trial"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_keys.
                 * @example key_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfKey"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description Revokes the key; its very next request is refused with 401. Revoking a revoked key changes nothing and succeeds.
         */
        delete: operations["revoke_key"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspaces/{workspaceId}/publishable-keys": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * List publishable keys
         * @description The publishable keys of the workspace, newest first, revoked ones included for 90 days. They are no secrets: the keys themselves are shown.
         */
        get: operations["list_publishable_keys"];
        put?: never;
        /**
         * Create a publishable key
         * @description Creates a key for pages that call the experience API without a backend. It opens this site alone, what visitors do, and only from the origins listed. Guests on it always solve the challenge, and its chats cost at most dailyCredits a day. A workspace has at most 20 that are not revoked.
         */
        post: operations["create_publishable_key"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspaces/{workspaceId}/publishable-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_publishable_keys.
                 * @example pk_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfPublishableKey"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a publishable key
         * @description Revokes the key; its very next request is refused with 401. Revoking a revoked key changes nothing and succeeds.
         */
        delete: operations["revoke_publishable_key"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List connected agents
         * @description What the account has allowed agents, newest first, expired and revoked connections included for 90 days; never a token.
         */
        get: operations["list_connections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/connections/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_connections.
                 * @example grant_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfConnection"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a connection
         * @description Ends what the account has allowed an agent; its very next call and its next refresh are refused. Revoking a revoked connection changes nothing and succeeds.
         */
        delete: operations["revoke_connection"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/consent/{requestId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The consent request, from the address of the consent page.
                 * @example Zk3q2-7wAbCdEfGhIjKlMnOpQrStUvWxYz0123456789
                 */
                requestId: components["parameters"]["RequestId"];
            };
            cookie?: never;
        };
        /**
         * Get a consent request
         * @description What an agent asks of the account that is signed in: who it says it is, where the answer will go, and each scope in words. Not found once it has expired, is finished or was decided by another account.
         */
        get: operations["get_consent_request"];
        put?: never;
        /**
         * Allow or deny a consent request
         * @description Decides for the account that is signed in and answers the address to go on to, which works once, for 60 seconds, in the browser that the request began in. Without scopes, allowing means all that are asked for; fewer may be given, never others.
         */
        post: operations["decide_consent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/contact": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Write to the operating team
         * @description Sends a message to the people who run the service. The bot challenge of get_config's site key is solved first. Until a sender's message has been read, another one is refused with 409.
         */
        post: operations["create_contact_request"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List own sessions
         * @description The live sessions of the person who is signed in, newest first: one for each browser that they have signed in with and not signed out of.
         */
        get: operations["list_sessions"];
        put?: never;
        post?: never;
        /**
         * Sign out elsewhere
         * @description Ends every session of the person but the one that calls. Other browsers have to sign in again with their next call, and no longer have sign-in codes of their own.
         */
        delete: operations["end_other_sessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List own invitations
         * @description The open invitations to workspaces that were sent to the address of the person who is signed in.
         */
        get: operations["list_invitations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invitations/{id}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_invitations.
                 * @example mem_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfInvitation"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation
         * @description Makes the person an active member of the workspace. Becoming an owner counts against the account's workspace limit.
         */
        post: operations["accept_invitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invitations/{id}/decline": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_invitations.
                 * @example mem_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfInvitation"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decline an invitation
         * @description Removes the invitation. The owners of the workspace may invite the address again.
         */
        post: operations["decline_invitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspaces/{workspaceId}/products/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_products.
                 * @example prod_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfProduct"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Bring a deleted product back
         * @description Brings back a product that was deleted for good in the last 30 days, exactly as it was. Refused with 409 if its name, SKU or barcode is taken by now, or if a picture or tag of it is gone: leaveOut brings it back without these.
         */
        post: operations["restore_product"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspaces/{workspaceId}/products/{id}/kept-answers": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_products.
                 * @example prod_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfProduct"];
            };
            cookie?: never;
        };
        /**
         * Get the kept answers of a product
         * @description The questions of a product with the answers that its page shows, and what it costs to ask those that have none, or whose answers are older than the product's texts.
         */
        get: operations["get_kept_answers"];
        put?: never;
        /**
         * Answer the questions of a product
         * @description Asks the model the questions of a published product that have no answer, or an OLD one, and keeps the answers for its page. Each answer is charged once; what the product does not say costs nothing. Answers 409 if the price is higher than was agreed to, and where the answer in progress is deleted or made by another call: that one costs nothing, those before it stay charged.
         */
        post: operations["make_kept_answers"];
        /**
         * Delete the kept answers of a product
         * @description Takes all kept answers of a product off its page. What they cost is not given back; they can be asked for again.
         */
        delete: operations["delete_kept_answers"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspaces/{workspaceId}/products/{id}/history/{activityId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_products.
                 * @example prod_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfProduct"];
                /**
                 * @description The id of the write.
                 * @example evt_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                activityId: components["parameters"]["ActivityId"];
            };
            cookie?: never;
        };
        /**
         * Get the values before a change
         * @description The values of a product that one write has replaced, whole, as patch_product takes them. 404 if they were not kept: more than 64 kB together, or a write without any.
         */
        get: operations["get_former_values"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspaces/{workspaceId}/members": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * List members
         * @description The members of the workspace and the people invited to it, in the order in which they were added. Owners only.
         */
        get: operations["list_members"];
        put?: never;
        /**
         * Invite a member
         * @description Invites an address with a role and mails the invitation. The person signs in with that address and accepts it.
         */
        post: operations["add_member"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspaces/{workspaceId}/members/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_members.
                 * @example mem_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfMember"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Change a member
         * @description Changes role or status. The last active owner can be neither demoted nor suspended, and a new owner needs room in that account's workspace limit.
         */
        put: operations["update_member"];
        post?: never;
        /**
         * Remove a member
         * @description Removes a member or withdraws an invitation; access ends with the next call. The last active owner cannot be removed.
         */
        delete: operations["remove_member"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspaces/{workspaceId}/members/{id}/invitation": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_members.
                 * @example mem_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfMember"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an invitation again
         * @description Mails an open invitation once more, for an address that has lost it. There is none for a member who has accepted.
         */
        post: operations["resend_invitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspaces/{workspaceId}/usage/days": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * Get usage by day
         * @description What was done in the workspace on each day between two dates, counted by kind of actor or by kind of event. Days and kinds without an event are left out.
         */
        get: operations["get_usage_by_day"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspaces/{workspaceId}/insights": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * Get insights
         * @description What visitors did between two dates, compared with as many days before: visits, product views, questions, how many had no answer, clicks to shops and credits, on the shop's own pages and on sites that record them. The team, its keys and its trials are not counted.
         */
        get: operations["get_insights"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspaces/{workspaceId}/site-figures": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * Get the figures of the site
         * @description What happened on the shop's own pages between two dates: the pages most read, the sites that visitors came from, searches that found nothing, and the shops that visitors went on to. Nothing of it says who they were.
         */
        get: operations["get_site_figures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspaces/{workspaceId}/top-questions": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * List what visitors ask most
         * @description What at least two visitors asked the assistant between two dates, the most asked first. Counted in the conversations that are still kept, the latest 5,000 where there are more; trials are left out.
         */
        get: operations["list_top_questions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspaces/{workspaceId}/digest": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * Get the mail of what waits
         * @description How often the person who is signed in gets a mail of what waits in the workspace: questions without an answer, changes to approve, feedback and stock.
         */
        get: operations["get_digest"];
        /**
         * Set the mail of what waits
         * @description Sets how often the person who is signed in gets a mail of what waits in the workspace. None is sent while nothing waits, and every mail can be stopped by one click.
         */
        put: operations["update_digest"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspaces/{workspaceId}/agent-changes": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * Get whether agents' changes need approval
         * @description Whether change sets and batches that agents apply wait until an owner or a member of the team approves them.
         */
        get: operations["get_agent_changes"];
        /**
         * Set whether agents' changes need approval
         * @description Holds change sets and batches of agents as WAITING until a person applies them in the dashboard. Single writes of agents are not held.
         */
        put: operations["update_agent_changes"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspaces/{workspaceId}/time-zone": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Set the shop's time zone
         * @description Sets the time zone whose days the dashboard counts. Usage of before is counted anew by its days; what happened on the shop's own pages keeps the days that it was counted for.
         */
        put: operations["update_time_zone"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspaces/{workspaceId}/media/{id}/uses": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_media.
                 * @example med_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfMedia"];
            };
            cookie?: never;
        };
        /**
         * Get where a picture is used
         * @description The products and collections that show the picture, by name, at most 100 of each, and whether it is the logo of the website.
         */
        get: operations["get_media_uses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspaces/{workspaceId}/receipts": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * List receipts
         * @description The paid purchases of credits, newest first, with what was paid and refunded and where the bill goes.
         */
        get: operations["list_receipts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspaces/{workspaceId}/website/preview": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview the website
         * @description Signs the website as these changes would make it, for ten minutes. Posted to /preview of the shop's own origin by a form of the dashboard, it is drawn there as the home page. Nothing is stored, and closed shops have previews, too.
         */
        post: operations["preview_website"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspaces/{workspaceId}/balance-alert": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * Get the balance alert
         * @description The balance below which the billing address gets a mail; null if it gets none.
         */
        get: operations["get_balance_alert"];
        /**
         * Set the balance alert
         * @description Sets the balance below which the billing address gets a mail, once until the balance has risen again. Null turns it off.
         */
        put: operations["update_balance_alert"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspaces/{workspaceId}/site-budget": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * Get the daily budget of the site
         * @description The credits that visitors of the shop's own pages and its widget may spend on a UTC day; null if only the wallet ends it.
         */
        get: operations["get_site_budget"];
        /**
         * Set the daily budget of the site
         * @description Sets the credits that visitors of the shop's own pages and its widget may spend on a UTC day; further questions are refused until the next one. Null means no limit.
         */
        put: operations["update_site_budget"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspaces/{workspaceId}/packs": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * List credit packs
         * @description The packs of credits that an owner or a billing member can buy, with their prices. Credits are paid once and do not expire.
         */
        get: operations["list_packs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspaces/{workspaceId}/checkout": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Buy a pack
         * @description Opens a checkout for a pack and answers the page to send the buyer to. Credits are added when the payment is confirmed, never by coming back from that page.
         */
        post: operations["create_checkout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/development/checkout/{id}/pay": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The checkout, from create_checkout.
                 * @example chk_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfCheckout"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pay a checkout (development)
         * @description Pays a checkout without money: the built-in provider sends the signed event of a payment to the service's own webhook. In production there is no such path.
         */
        post: operations["pay_development_checkout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/development/checkout/{id}/refund": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The checkout, from create_checkout.
                 * @example chk_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfCheckout"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refund a checkout (development)
         * @description Refunds a checkout, or part of it, without money: the built-in provider sends the signed event of a refund to the service's own webhook. In production there is no such path.
         */
        post: operations["refund_development_checkout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspaces/{workspaceId}/billing-email/code": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request a code for a new billing email
         * @description Mails a six-digit code to the new billing address. update_workspace then takes it as billingEmailCode. Owners only.
         */
        post: operations["request_billing_email_code"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/session/code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request a staff sign-in code
         * @description Mails a six-digit code to a member of staff, valid for ten minutes and usable once. An address that is not on the staff gets no mail, but the same answer, which takes as long.
         */
        post: operations["request_staff_code"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the staff session
         * @description Who is signed in to administration, and until when. The session ends at once when the person is no longer on the staff.
         */
        get: operations["get_staff_session"];
        put?: never;
        /**
         * Sign in as staff
         * @description Exchanges the mailed code for a staff cookie that lasts twelve hours, however much it is used. The fifth wrong code makes the code unusable.
         */
        post: operations["create_staff_session"];
        /**
         * Sign out of administration
         * @description Revokes the staff session at once and removes its cookie. Other sessions of the same person stay signed in.
         */
        delete: operations["delete_staff_session"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List accounts
         * @description Every account of the service, the newest first, with what it may own and owns. Search finds ids, email addresses and names; a whole id or address finds that account alone.
         */
        get: operations["list_accounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/accounts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_accounts.
                 * @example acc_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfAccount"];
            };
            cookie?: never;
        };
        /**
         * Get an account
         * @description An account with the workspaces it belongs to and the number of keys and agents that can act for it now.
         */
        get: operations["get_admin_account"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/accounts/{id}/workspace-limit": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_accounts.
                 * @example acc_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfAccount"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Set the workspace limit
         * @description Sets how many workspaces the account may own. Lowering it keeps those it owns; the limit holds in the dashboard, for keys and agents, and where ownership is assigned.
         */
        put: operations["update_account_limit"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/accounts/{id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_accounts.
                 * @example acc_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfAccount"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Suspend or restore an account
         * @description Suspending refuses the account at once: its keys, agents, sessions and the visitors who come through its keys. Restoring lets all of them in again.
         */
        put: operations["update_account_status"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all workspaces
         * @description Every workspace of the service, the newest first, with its owners. Search finds ids, names, subdomains and billing addresses.
         */
        get: operations["list_all_workspaces"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/workspaces/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_all_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfWorkspace"];
            };
            cookie?: never;
        };
        /**
         * Get a workspace
         * @description A workspace with its members of every role, whether they are active, invited or suspended.
         */
        get: operations["get_admin_workspace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/workspaces/{id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_all_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfWorkspace"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Suspend or restore a workspace
         * @description Suspending closes the workspace at once for keys, agents, its members and the visitors of its site. Restoring opens it again.
         */
        put: operations["update_workspace_status"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/workspaces/{id}/name": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_all_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfWorkspace"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Approve a workspace's name
         * @description A name, title, headline or domain that visitors may take for a company or a place to sign in waits until a person has looked at it: the pages are shown once it is approved, and hidden again without. Name what was looked at, or an owner who changes it meanwhile gets another approved.
         */
        put: operations["update_name_approval"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/workspaces/{id}/design": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_all_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfWorkspace"];
            };
            cookie?: never;
        };
        /**
         * Get a workspace's design
         * @description How the pages of a workspace look in the customized template, and the design that they have until staff choose another. In any other template the design is kept and not shown. Its ETag can be sent back as If-Match with an update.
         */
        get: operations["get_workspace_design"];
        /**
         * Change a workspace's design
         * @description Sets the whole design of the pages in the customized template, for the next reader to see. Texts, pictures and the colours of the shop stay its owner's; text is moved to a contrast that can be read on any paper. Send the ETag that was read as If-Match to be told when somebody else wrote in between.
         */
        put: operations["update_workspace_design"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/workspaces/{id}/credits": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_all_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfWorkspace"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Adjust the credits of a workspace
         * @description Adds credits to the wallet, or takes them with a negative number, for a reason that stands in the ledger and in the audit. The wallet may end in debt. Repeat it safely with the same Idempotency-Key.
         */
        post: operations["adjust_credits"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List integration sources
         * @description The software behind keys and agents, the newest first, with the number of its connections. Search finds ids, names and identities.
         */
        get: operations["list_sources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/sources/{id}/connections": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_sources.
                 * @example src_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfSource"];
            };
            cookie?: never;
        };
        /**
         * List the connections of a source
         * @description The keys or grants of one source, the newest first: whose they are, their scopes and times, and never a token. Search finds accounts.
         */
        get: operations["list_source_connections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/sources/{id}/block": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_sources.
                 * @example src_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfSource"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Block a source
         * @description Refuses the source everywhere from the very next request on: keys, agents, new authorisations, registrations under the same identity, and refreshes.
         */
        post: operations["block_source"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/sources/{id}/unblock": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_sources.
                 * @example src_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfSource"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unblock a source
         * @description Approves the source again. Its keys and grants that have not expired work as before; what a user has revoked stays revoked.
         */
        post: operations["unblock_source"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/contact-requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List contact requests
         * @description What people have sent through the contact form, the newest first. Search finds ids, names and email addresses.
         */
        get: operations["list_contact_requests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/contact-requests/{id}/read": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_contact_requests.
                 * @example ctc_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfContactRequest"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark a contact request as read
         * @description Marks the request as read, which lets its sender send another. A request that was read before keeps the time of the first reading.
         */
        post: operations["mark_contact_request_read"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List audit entries
         * @description Every change that staff have made, the newest first, with what was before and after. Entries are never changed or removed. Search finds people, actions and subjects.
         */
        get: operations["list_audit_entries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description An opaque id. Its prefix says what it is the id of. */
        Id: string;
        /**
         * Format: date-time
         * @description A moment in UTC, in RFC 3339 form with milliseconds.
         */
        Time: string;
        /**
         * Format: date
         * @description A date, YYYY-MM-DD.
         */
        CalendarDate: string;
        /** @description A UTC date, YYYY-MM-DD, or a moment of it, such as 2026-05-31T09:30:00Z. */
        DateOrTime: string | components["schemas"]["CalendarDate"];
        /**
         * Format: email
         * @description An email address.
         */
        Email: string;
        /** @description A phone number in E.164 form. */
        Phone: string;
        /** @description 3 to 32 lower-case letters, digits and hyphens, no hyphen at either end. Names that begin with xn-- are not available: they stand for names in other scripts. */
        SubDomain: string;
        /** @description A BCP 47 language tag. */
        Language: string;
        /** @description No control characters, and at least one visible one. */
        PersonName: string;
        /** @description No control characters, and at least one visible one. */
        WorkspaceName: string;
        /**
         * Format: password
         * @description The six digits that were mailed.
         */
        OneTimeCode: string;
        /**
         * @description owner may do everything; staff works on catalogue, media, questions, feedback and usage; billing on wallet, packs and usage.
         * @enum {string}
         */
        Role: "owner" | "staff" | "billing";
        /**
         * @description What a key or an agent may do.
         *     - `account:read`: See your name, email address, phone and language.
         *     - `workspaces:read`: List the workspaces you own and whether you may create more.
         *     - `workspaces:write`: Create workspaces in your name.
         *     - `workspace:read`: See workspace profiles, settings, feedback, usage and wallets.
         *     - `workspace:write`: Change workspace profiles and AI settings.
         *     - `website:read`: See website configurations and templates.
         *     - `website:write`: Change website configurations and who may visit.
         *     - `products:read`: See products, inactive ones too, and their questions.
         *     - `products:write`: Create, change and permanently delete products and their questions.
         *     - `collections:read`: See collections and the products in them.
         *     - `collections:write`: Create, change and permanently delete collections.
         *     - `tags:read`: See tags.
         *     - `tags:write`: Create, rename and permanently delete tags.
         *     - `media:read`: See the media library.
         *     - `media:write`: Upload, replace and permanently delete images.
         *     - `storefront:read`: Read the published catalogue for visitors.
         *     - `visitors:read`: See the session and profile of a visitor who is signed in.
         *     - `visitors:write`: Sign visitors in and out and record what they do.
         *     - `ai:write`: Start AI chats for visitors, which costs credits.
         * @enum {string}
         */
        Scope: "account:read" | "workspaces:read" | "workspaces:write" | "workspace:read" | "workspace:write" | "website:read" | "website:write" | "products:read" | "products:write" | "collections:read" | "collections:write" | "tags:read" | "tags:write" | "media:read" | "media:write" | "storefront:read" | "visitors:read" | "visitors:write" | "ai:write";
        /**
         * @description What went wrong, for programs. The list may grow: treat an unknown code by its status.
         *     - `invalid_input` (400): A field is missing, unknown or out of its bounds.
         *     - `missing_workspace` (400): A flat URL names no workspace.
         *     - `subdomain_unavailable` (400): The subdomain is reserved, taken or held.
         *     - `subdomain_cooldown` (400): The subdomain has changed within the last 30 days.
         *     - `workspace_limit_reached` (400): The account owns as many workspaces as it may.
         *     - `key_limit_reached` (400): The account has as many live keys as it may.
         *     - `unknown_template` (400): There is no template with this key.
         *     - `no_face` (400): The image shows no face.
         *     - `cursor_expired` (400): Changes after this cursor are no longer kept. Read all again.
         *     - `unauthenticated` (401): The credential is missing, malformed or of another kind.
         *     - `token_expired` (401): The credential has expired.
         *     - `token_revoked` (401): The credential was revoked.
         *     - `wrong_environment` (401): The credential belongs to the other environment.
         *     - `code_invalid` (401): The code is wrong, expired, used or unusable.
         *     - `sign_in_required` (401): The call, or this site's catalogue, needs a customer.
         *     - `visitor_required` (401): The call needs a guest or a customer.
         *     - `insufficient_credits` (402): The wallet has too few credits.
         *     - `wallet_in_debt` (402): The wallet is in debt after a refund.
         *     - `insufficient_scope` (403): The key or grant lacks the scope.
         *     - `account_inactive` (403): The account is suspended.
         *     - `workspace_inactive` (403): The workspace is suspended.
         *     - `not_owner` (403): Not an active owner of this workspace, or an agent limited to another.
         *     - `role_insufficient` (403): The member's role does not allow this.
         *     - `source_blocked` (403): The integration was blocked by an administrator.
         *     - `access_restricted` (403): The site is not open to visitors.
         *     - `challenge_required` (403): The bot challenge must be solved first.
         *     - `challenge_failed` (403): The answer to the bot challenge is not valid.
         *     - `ai_mode_disabled` (403): The workspace has this AI mode switched off.
         *     - `origin_refused` (403): The request comes from no page that may send it.
         *     - `not_found` (404): There is no such resource or path.
         *     - `method_not_allowed` (405): The path exists with other methods.
         *     - `request_timeout` (408): The request did not arrive in time.
         *     - `duplicate` (409): Another resource has this identity.
         *     - `write_conflict` (409): The resource has changed since it was read.
         *     - `change_set_has_errors` (409): Rows of the plan have errors.
         *     - `change_set_state` (409): The state of the change set does not allow this step.
         *     - `last_owner` (409): A workspace keeps at least one active owner.
         *     - `owners_frozen` (409): An owner's address has just changed, and the change can be taken back.
         *     - `contact_pending` (409): An earlier request of this sender is still unread.
         *     - `upload_used` (409): The upload URL has been used.
         *     - `idempotency_mismatch` (409): The key was used with another body.
         *     - `idempotency_in_progress` (409): The first call with this key is still running.
         *     - `payload_too_large` (413): The body is larger than its limit.
         *     - `unsupported_media_type` (415): The body is of a type this operation does not take.
         *     - `rate_limited` (429): Too many requests.
         *     - `quota_exceeded` (429): The visitor's daily quota is used up.
         *     - `internal` (500): A fault of the service.
         *     - `unavailable` (503): The service cannot answer at the moment.
         * @enum {string}
         */
        ErrorCode: "invalid_input" | "missing_workspace" | "subdomain_unavailable" | "subdomain_cooldown" | "workspace_limit_reached" | "key_limit_reached" | "unknown_template" | "no_face" | "cursor_expired" | "unauthenticated" | "token_expired" | "token_revoked" | "wrong_environment" | "code_invalid" | "sign_in_required" | "visitor_required" | "insufficient_credits" | "wallet_in_debt" | "insufficient_scope" | "account_inactive" | "workspace_inactive" | "not_owner" | "role_insufficient" | "source_blocked" | "access_restricted" | "challenge_required" | "challenge_failed" | "ai_mode_disabled" | "origin_refused" | "not_found" | "method_not_allowed" | "request_timeout" | "duplicate" | "write_conflict" | "change_set_has_errors" | "change_set_state" | "last_owner" | "owners_frozen" | "contact_pending" | "upload_used" | "idempotency_mismatch" | "idempotency_in_progress" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "quota_exceeded" | "internal" | "unavailable";
        /** @description The one object that every refusal answers. The header X-Request-Id beside it names the call in the service's log: quote it when you ask for help. /docs/errors/<code> says what to do about each code. */
        ApiError: {
            /** @description The HTTP status, once more. */
            status: number;
            code: components["schemas"]["ErrorCode"];
            /** @description A sentence for people in the language of Accept-Language. */
            message: string;
            /** @description A sentence for each field at fault, by its path. */
            fieldErrors?: {
                [key: string]: string;
            };
        };
        /** @description The request was taken; its work may still be under way. */
        Accepted: {
            /**
             * @description Always true.
             * @constant
             */
            accepted: true;
        };
        /** @description All products of a collection. */
        CollectionProducts: {
            /** @description In order. Products of this workspace, none twice. */
            productIds: components["schemas"]["Id"][];
        };
        /** @description The tags of a product or a collection after a change, as its tool answers it. */
        TagsOfResource: {
            /** @description The product or collection. */
            id: components["schemas"]["Id"];
            /** @description The tags that it has now. */
            tagIds: components["schemas"]["Id"][];
        };
        /** @description The products of a collection after a change, as its tool answers it. */
        ProductsOfCollection: {
            /** @description The collection. */
            id: components["schemas"]["Id"];
            /** @description The products that it holds now, in order. */
            productIds: components["schemas"]["Id"][];
        };
        /** @description What was removed. */
        Deleted: {
            /** @description What was removed. */
            id: components["schemas"]["Id"];
            /**
             * @description Always true.
             * @constant
             */
            deleted: true;
        };
        EmailAddress: {
            /** @description Where the code goes. */
            email: components["schemas"]["Email"];
        };
        EmailCode: {
            /** @description The address that the code was mailed to. */
            email: components["schemas"]["Email"];
            code: components["schemas"]["OneTimeCode"];
        };
        EmailUndo: {
            /**
             * Format: password
             * @description The token at the end of the link in the mail.
             */
            token: string;
        };
        /** @description A person who signs in to the dashboard and owns workspaces. */
        Account: {
            id: components["schemas"]["Id"];
            /** @description The verified address that signs in. */
            email: components["schemas"]["Email"];
            /** @description The person's name. */
            name: string;
            /** @description A phone number in E.164 form, or null. */
            phone: string | null;
            /** @description The language of mails and answers, as a BCP 47 tag. */
            language: string;
            /** @description How many workspaces the account may own; set by an administrator. */
            workspaceLimit: number;
            /** @description When the account was made. */
            createdAt: components["schemas"]["Time"];
            /** @description The last change. */
            updatedAt: components["schemas"]["Time"];
        };
        AccountUpdate: {
            /** @description The person's name. */
            name: components["schemas"]["PersonName"];
            /** @description E.164, or null for none. */
            phone: string | null;
            /** @description The language of mails and answers, as a BCP 47 tag. */
            language: components["schemas"]["Language"];
        };
        /** @description A shop: its profile, its contact data and its instructions to the AI agent. */
        Workspace: {
            id: components["schemas"]["Id"];
            /** @description The name people read. */
            name: string;
            /** @description The name of the site in its address, unique in the service. */
            subDomain: string;
            /**
             * @description SUSPENDED by the operator of the service: every call to it is refused.
             * @enum {string}
             */
            status: "ACTIVE" | "SUSPENDED";
            /** @description Where invoices go; at first the address of the owner. */
            billingEmail: string;
            /** @description The phone for billing in E.164 form, or null. */
            billingPhone: string | null;
            /** @description The country calling code for text messages, 1 to 4 digits, or null. */
            billingGsmCountryCode: string | null;
            /** @description Whether visitors may see the site; a hidden one is closed to them. */
            isVisible: boolean;
            /** @description The owner's instructions to the AI agent of the site. */
            mainAgentPrompt: string;
            /** @description The template in use, a key of list_templates. */
            templateKey: string;
            /** @description When the workspace was made. */
            createdAt: components["schemas"]["Time"];
            /** @description The last change of the profile. */
            updatedAt: components["schemas"]["Time"];
        };
        /** @description What a new workspace starts with. */
        WorkspaceCreate: {
            /** @description The name people read. */
            name: components["schemas"]["WorkspaceName"];
            subDomain: components["schemas"]["SubDomain"];
            /** @description A key from list_templates. */
            templateKey: string;
            /** @description Required by templates with requiresPhone; becomes the billing phone. */
            phone?: components["schemas"]["Phone"];
        };
        /** @description The values to change; those left out stay. */
        WorkspaceUpdate: {
            /** @description The name people read. */
            name?: components["schemas"]["WorkspaceName"];
            /** @description Lower-case letters, digits and inner hyphens; can change once in 30 days. */
            subDomain?: components["schemas"]["SubDomain"];
            /** @description A new address needs billingEmailCode. */
            billingEmail?: components["schemas"]["Email"];
            /** @description The six digits mailed to the new billingEmail. */
            billingEmailCode?: components["schemas"]["OneTimeCode"];
            /** @description E.164, or null for none. A template that requires a phone keeps it. */
            billingPhone?: string | null;
            /** @description 1 to 4 digits, or null for none. */
            billingGsmCountryCode?: string | null;
            /** @description Whether visitors may see the site. */
            isVisible?: boolean;
            /** @description The owner's instructions to the AI agent of the site. HIGH answers read all of it, LOW answers the beginning. */
            mainAgentPrompt?: string;
        };
        /** @description How many workspaces the account may own. */
        CreationPolicy: {
            /** @description How many workspaces the account may own. */
            limit: number;
            /** @description How many it owns now. */
            owned: number;
            /** @description Whether create_workspace can succeed with this credential. Never, where an agent is limited to one workspace. */
            canCreate: boolean;
        };
        WorkspaceList: {
            /** @description The page asked for. */
            page: number;
            /** @description The page size asked for. */
            pageSize: number;
            creationPolicy: components["schemas"]["CreationPolicy"];
            /** @description The owned workspaces, oldest first. */
            workspaces: components["schemas"]["Workspace"][];
        };
        /** @description A design that a website starts from. */
        Template: {
            /** @description What to send as templateKey. */
            key: string;
            /** @description The name people read. */
            name: string;
            /** @description What the design is good for. */
            description: string;
            /** @description Whether a workspace with it needs a phone number. */
            requiresPhone: boolean;
        };
        TemplateList: {
            /** @description Every template. */
            templates: components["schemas"]["Template"][];
        };
        /** @description How the public site looks, what it says and who may use it. */
        Website: {
            /** @description The template in use, a key of list_templates. */
            templateKey: string;
            /** @description Colours and font of the site. */
            theme: {
                /** @description The main colour, as #rrggbb. */
                primaryColor: string;
                /** @description The second colour, as #rrggbb. */
                accentColor: string;
                /** @description The font's name. */
                font: string;
            };
            /** @description An image of the media library, or null. */
            logoImageId: string | null;
            /** @description The first line. */
            headline: string;
            /** @description Stands below the headline. */
            tagline: string;
            /** @description A text about the shop. */
            about: string;
            /** @description The address shown on the site, or null. */
            contactEmail: string | null;
            /** @description Profiles of the shop elsewhere. */
            socialLinks: string[];
            /** @description What search engines show. */
            seo: {
                /** @description Their title. */
                title: string;
                /** @description Their text below it. */
                description: string;
            };
            /** @description Who may see the site and use its AI. */
            accessPolicy: components["schemas"]["AccessPolicy"];
            language: components["schemas"]["SiteLanguage"];
            /** @description Origins of other sites that may show the shop's assistant. */
            embedOrigins: string[];
            /** @description The last change of the website. */
            updatedAt: components["schemas"]["Time"];
        };
        /** @description The website configuration as a site shows it, with its logo. */
        PublicWebsite: {
            /** @description The template in use, a key of list_templates. */
            templateKey: string;
            /** @description Colours and font of the site. */
            theme: {
                /** @description The main colour, as #rrggbb. */
                primaryColor: string;
                /** @description The second colour, as #rrggbb. */
                accentColor: string;
                /** @description The font's name. */
                font: string;
            };
            /** @description An image of the media library, or null. */
            logoImageId: string | null;
            /** @description The image that logoImageId names, or null. */
            logo: components["schemas"]["Media"] | null;
            /** @description The first line. */
            headline: string;
            /** @description Stands below the headline. */
            tagline: string;
            /** @description A text about the shop. */
            about: string;
            /** @description The address shown on the site, or null. */
            contactEmail: string | null;
            /** @description Profiles of the shop elsewhere. */
            socialLinks: string[];
            /** @description What search engines show. */
            seo: {
                /** @description Their title. */
                title: string;
                /** @description Their text below it. */
                description: string;
            };
            /** @description Who may see the site and use its AI. */
            accessPolicy: components["schemas"]["AccessPolicy"];
            language: components["schemas"]["SiteLanguage"];
            /** @description Origins of other sites that may show the shop's assistant. */
            embedOrigins: string[];
            /** @description The last change of the website. */
            updatedAt: components["schemas"]["Time"];
        };
        /**
         * @description The site's own words.
         * @enum {string}
         */
        SiteLanguage: "en" | "tr";
        /** @description Who may see the site and use its AI, and how often. */
        AccessPolicy: {
            visibility: components["schemas"]["Visibility"];
            /** @description Whether guests may use AI. */
            guestAiEnabled: boolean;
            /** @description AI requests of a guest in a UTC day. */
            guestDailyRequests: number;
            /** @description AI requests of a customer in a UTC day. */
            customerDailyRequests: number;
            challenge: components["schemas"]["ChallengePolicy"];
        };
        /**
         * @description Who sees the published catalogue.
         * @enum {string}
         */
        Visibility: "PUBLIC" | "SIGN_IN" | "CLOSED";
        /**
         * @description Who must solve the bot challenge.
         * @enum {string}
         */
        ChallengePolicy: "OFF" | "GUESTS" | "ALWAYS";
        /** @description A colour, as #rrggbb. */
        Color: string;
        /** @description The values to change; those left out stay. */
        WebsiteUpdate: {
            /** @description A key from list_templates. */
            templateKey?: string;
            /** @description Colours and font of the site. */
            theme?: {
                /** @description Main colour, #rrggbb. */
                primaryColor?: components["schemas"]["Color"];
                /** @description Second colour, likewise. */
                accentColor?: components["schemas"]["Color"];
                /** @description A font's name. */
                font?: string;
            };
            /** @description A media id, or null. */
            logoImageId?: string | null;
            /** @description The first line. */
            headline?: string;
            /** @description Below the headline. */
            tagline?: string;
            /** @description About the shop. */
            about?: string;
            /**
             * Format: email
             * @description Shown on the site, or null.
             */
            contactEmail?: string | null;
            /** @description http(s) addresses. */
            socialLinks?: string[];
            /** @description What search engines show. */
            seo?: {
                /** @description Their title. */
                title?: string;
                /** @description Their text below it. */
                description?: string;
            };
            /** @description Who sees the site and uses its AI. */
            accessPolicy?: {
                visibility?: components["schemas"]["Visibility"];
                /** @description Guests may use AI. */
                guestAiEnabled?: boolean;
                /** @description AI requests in a UTC day. */
                guestDailyRequests?: number;
                /** @description AI requests in a UTC day. */
                customerDailyRequests?: number;
                challenge?: components["schemas"]["ChallengePolicy"];
            };
            language?: components["schemas"]["SiteLanguage"];
            /** @description https origins that embed the chat. */
            embedOrigins?: string[];
        };
        /** @description Where the page stands in the whole list. */
        Pagination: {
            /** @description The page asked for, from 1. */
            page: number;
            /** @description The page size asked for. */
            limit: number;
            /** @description How many items the filters leave, on all pages. */
            total: number;
            /** @description How many pages that makes. */
            totalPages: number;
            /** @description Whether a later page has items. */
            hasNextPage: boolean;
            /** @description Whether there is an earlier page. */
            hasPreviousPage: boolean;
        };
        /** @description An image of the media library. */
        Media: {
            id: components["schemas"]["Id"];
            /** @description The name it was uploaded with. */
            fileName: string;
            /** @description The type of the stored bytes, such as image/jpeg. */
            mimeType: string;
            /** @description The stored bytes; metadata such as GPS positions is removed first. */
            size: number;
            /**
             * @description Always IMAGE.
             * @enum {string}
             */
            kind: "IMAGE";
            /** @description The workspace and 22 characters that follow from the content. */
            key: string;
            /** @description When it was uploaded. */
            createdAt: components["schemas"]["Time"];
            /**
             * @description Uses as product image, collection image or logo.
             * @default 0
             */
            usageCount: number;
            /**
             * @description Where a browser loads it. Changes when the image is replaced.
             * @default
             */
            url: string;
        };
        /**
         * @description The type of an image. The bytes are decoded to check it.
         * @enum {string}
         */
        MimeType: "image/jpeg" | "image/png" | "image/webp" | "image/gif" | "image/avif";
        /** @description An image to store. */
        MediaUpload: {
            /** @description Shown in the media library. At most 200 characters. */
            fileName: string;
            /** @description What the bytes are. */
            mimeType: components["schemas"]["MimeType"];
            /** @description The bytes, at most 3 MiB of them. */
            base64: string;
        };
        /** @description Where an image is to be fetched. */
        MediaImport: {
            /** @description A public https URL of an image. */
            sourceUrl: string;
            /** @description By default the last part of the URL. */
            fileName?: string;
        };
        MediaFiles: {
            /** @description Up to 12 images of at most 10 MiB each; all are stored or none. */
            files: string[];
        };
        /** @description What will be sent to the upload URL. */
        MediaUploadCreate: {
            /** @description Shown in the media library. At most 200 characters. */
            fileName: string;
            /** @description What the bytes will be. */
            mimeType: components["schemas"]["MimeType"];
            /** @description The exact number of bytes that will be sent. */
            size: number;
        };
        /** @description Where to send the bytes of one image, once. */
        MediaUploadUrl: {
            /** @description Send the bytes here, with mimeType as Content-Type. Keep it secret. */
            url: string;
            /**
             * @description How to send them.
             * @enum {string}
             */
            method: "PUT";
            /** @description When the URL stops working. */
            expiresAt: components["schemas"]["Time"];
        };
        /**
         * Format: binary
         * @description The bytes of one image, at most 10 MiB.
         */
        ImageBytes: string;
        UploadedMedia: {
            /** @description The stored images, in the order of the files. */
            media: components["schemas"]["Media"][];
        };
        /** @description unused has no use, linked one or more, multiLinked two or more. */
        MediaSummary: {
            /** @description Every image. */
            total: number;
            /** @description Images without a use. */
            unused: number;
            /** @description Images with one use or more. */
            linked: number;
            /** @description Images with two uses or more. */
            multiLinked: number;
        };
        MediaList: {
            /** @description The images of the page, newest first. */
            media: components["schemas"]["Media"][];
            pagination: components["schemas"]["Pagination"];
            /** @description Counts over the whole workspace. */
            summary: components["schemas"]["MediaSummary"];
        };
        /** @description A label for products and collections. */
        Tag: {
            id: components["schemas"]["Id"];
            /** @description What shoppers read. */
            name: string;
        };
        TagWrite: {
            /** @description What shoppers read. Need not be unique. */
            name: string;
        };
        TagList: {
            /** @description The tags of the page. */
            tags: components["schemas"]["Tag"][];
            pagination: components["schemas"]["Pagination"];
        };
        /**
         * @description A field of products to sort by; with a hyphen descending.
         * @enum {string}
         */
        ProductOrder: "createdAt" | "-createdAt" | "updatedAt" | "-updatedAt" | "name" | "-name" | "stock" | "-stock";
        /**
         * @description ACTIVE is published, INACTIVE is not, DELETED is hidden. A DELETED product frees its name, SKU and barcode.
         * @enum {string}
         */
        ProductStatus: "ACTIVE" | "INACTIVE" | "DELETED";
        /** @description A place where the product is sold. */
        SalesEntry: {
            /** @description The shop or marketplace. */
            name: string;
            /** @description http or https. */
            link: string;
        };
        /** @description Ids of this workspace, in order, none twice. */
        IdList: components["schemas"]["Id"][];
        /** @description What a new product starts with. */
        ProductCreate: {
            /** @description Unique among products that are not DELETED. Case does not count. */
            name: string;
            /** @description The maker, as shoppers know it. */
            brand: string;
            /** @description Unique like the name. The stock keeping unit. */
            sku: string;
            /** @description GTIN, EAN or an own code, unique too. */
            barcode: string;
            /** @description How many can be sold. 0 means out of stock. */
            stock: number;
            status: components["schemas"]["ProductStatus"];
            /**
             * @description Shoppers read it first.
             * @default
             */
            description: string;
            /** @description What the AI answers from: ingredients, sizes, care. */
            information: string;
            /**
             * @description In order. Media of this workspace, none twice.
             * @default []
             */
            imageIds: components["schemas"]["Id"][];
            /**
             * @description In order. Tags of this workspace, none twice.
             * @default []
             */
            tagIds: components["schemas"]["Id"][];
            /**
             * @description Where the product is sold.
             * @default []
             */
            sales: components["schemas"]["SalesEntry"][];
        };
        /** @description Every editable value. Nothing has a default, so that nothing is cleared unseen. */
        ProductUpdate: {
            /** @description Unique among products that are not DELETED. Case does not count. */
            name: string;
            /** @description The maker, as shoppers know it. */
            brand: string;
            /** @description Unique like the name. The stock keeping unit. */
            sku: string;
            /** @description GTIN, EAN or an own code, unique too. */
            barcode: string;
            /** @description How many can be sold. 0 means out of stock. */
            stock: number;
            status: components["schemas"]["ProductStatus"];
            /** @description Shoppers read it first. */
            description: string;
            /** @description What the AI answers from: ingredients, sizes, care. */
            information: string;
            /** @description In order. Media of this workspace, none twice. */
            imageIds: components["schemas"]["IdList"];
            /** @description In order. Tags of this workspace, none twice. */
            tagIds: components["schemas"]["IdList"];
            /** @description Where the product is sold. */
            sales: components["schemas"]["SalesEntry"][];
        };
        /** @description The values to change; what is left out stays as it is. */
        ProductPatch: {
            /** @description Unique among products that are not DELETED. Case does not count. */
            name?: string;
            /** @description The maker, as shoppers know it. */
            brand?: string;
            /** @description Unique like the name. The stock keeping unit. */
            sku?: string;
            /** @description GTIN, EAN or an own code, unique too. */
            barcode?: string;
            /** @description How many can be sold. 0 means out of stock. */
            stock?: number;
            status?: components["schemas"]["ProductStatus"];
            /** @description Shoppers read it first. */
            description?: string;
            /** @description What the AI answers from: ingredients, sizes, care. */
            information?: string;
            /** @description In order. Media of this workspace, none twice. */
            imageIds?: components["schemas"]["IdList"];
            /** @description In order. Tags of this workspace, none twice. */
            tagIds?: components["schemas"]["IdList"];
            /** @description Where the product is sold. */
            sales?: components["schemas"]["SalesEntry"][];
        };
        /** @description What the tool answers of a changed product. */
        PatchedProduct: {
            /** @description The product. */
            id: components["schemas"]["Id"];
            /** @description Its name. */
            name: string;
            /** @description Its stock keeping unit. */
            sku: string;
            /** @description How many can be sold. */
            stock: number;
            status: components["schemas"]["ProductStatus"];
            /** @description When it was last changed. */
            updatedAt: components["schemas"]["Time"];
        };
        /** @description A value of a field; each row is checked on its own. */
        ProductRowValue: string | number | boolean | {
            [key: string]: string | number | boolean | null;
        } | (string | number | boolean | {
            [key: string]: string | number | boolean | null;
        } | null)[] | null;
        /** @description A text, checked with its row. */
        ProductRowText: string | number | null;
        /** @description What to do with one product. */
        ProductRow: {
            /**
             * @description upsert finds data.sku and patches it, or creates.
             * @enum {string}
             */
            action: "create" | "update" | "patch" | "upsert" | "delete";
            /** @description The product; else by sku. */
            id?: components["schemas"]["ProductRowText"];
            /** @description Instead of an id. */
            sku?: components["schemas"]["ProductRowText"];
            /** @description As in create_product, update_product or patch_product; a patch also takes stock {add: n}, addTagIds, removeTagIds, addToCollectionIds and removeFromCollectionIds. */
            data?: {
                [key: string]: components["schemas"]["ProductRowValue"];
            };
            /** @description Fails where updatedAt differs. */
            expectedUpdatedAt?: components["schemas"]["ProductRowText"];
        };
        /** @description Rows to write at once. */
        ProductBatch: {
            /** @description In order; the first is row 0. */
            rows: components["schemas"]["ProductRow"][];
            /**
             * @description Write all rows or none.
             * @default false
             */
            atomic: boolean;
        };
        /** @description What became of a batch. */
        ProductBatchResult: {
            /** @description One for each row, in order. Empty while the change set waits for a person. */
            results: components["schemas"]["ProductRowResult"][];
            counts: components["schemas"]["ProductRowCounts"];
            /** @description What was written, for undo_change_set; null if nothing was. */
            changeSetId: components["schemas"]["Id"] | null;
        };
        /** @description What became of a row. */
        ProductRowResult: {
            /** @description The row, from 0. */
            row: number;
            /**
             * @description UNCHANGED had these values already.
             * @enum {string}
             */
            outcome: "CREATED" | "UPDATED" | "UNCHANGED" | "DELETED" | "FAILED";
            /** @description The product; null where there is none. */
            id: components["schemas"]["Id"] | null;
            /** @description Why it failed; else null. */
            error: components["schemas"]["ApiError"] | null;
        };
        /** @description How many rows had each outcome. */
        ProductRowCounts: {
            /** @description New products. */
            created: number;
            /** @description Changed products. */
            updated: number;
            /** @description Products that had the values already. */
            unchanged: number;
            /** @description Deleted products. */
            deleted: number;
            /** @description Rows that failed. */
            failed: number;
        };
        /** @description The filters of list_products, at least one. */
        ProductSelection: {
            /** @description Text to find. */
            search?: string;
            /** @description Only this status, or these. */
            status?: components["schemas"]["ProductStatus"] | components["schemas"]["ProductStatus"][];
            /**
             * @description IN has stock, OUT has none.
             * @enum {string}
             */
            stock?: "IN" | "OUT";
            tagId?: components["schemas"]["Id"];
            collectionId?: components["schemas"]["Id"];
            /** @description With an image, or without. */
            hasImages?: boolean;
            /** @description Likewise. */
            hasDescription?: boolean;
            /** @description Likewise. */
            hasTags?: boolean;
            /** @description Likewise for a twin in name. */
            hasDuplicates?: boolean;
            /** @description In any case. */
            brand?: string;
            updatedSince?: components["schemas"]["DateOrTime"];
            /** @description In any case. */
            sku?: string;
            /** @description These products. */
            ids?: components["schemas"]["Id"][];
        };
        /** @description One change of every product that matches when it is planned. */
        ChangeSetSelection: {
            where: components["schemas"]["ProductSelection"];
            /** @description As the data of a patch. */
            change: {
                [key: string]: components["schemas"]["ProductRowValue"];
            };
        };
        /** @description What to plan, as rows, as a selection or as an uploaded file. */
        ChangeSetCreate: {
            /** @description What people call it. */
            title?: string;
            /** @description In order; the first is row 0. */
            rows?: components["schemas"]["ProductRow"][];
            select?: components["schemas"]["ChangeSetSelection"];
            /** @description Of an uploaded file. A row with a known id or SKU patches that product, any other creates one. An empty cell leaves its field alone, `-` empties it; items of a list are separated by `|`, a sale is `name=url`. Images are ids, file names or https URLs; tags and collections are ids or names. */
            uploadId?: components["schemas"]["Id"];
            /** @description The fields of columns, where they are other than the answer of the upload says. */
            mapping?: {
                [key: string]: string | null;
            };
            /** @description What is made when the plan is applied, if it is not there. */
            make?: {
                /**
                 * @description Tags that rows name.
                 * @default false
                 */
                tags: boolean;
                /**
                 * @description Collections that rows name.
                 * @default false
                 */
                collections: boolean;
            };
        };
        ChangeSetFile: {
            /**
             * Format: binary
             * @description At most 50 MB and 100,000 rows.
             */
            file: string;
            /**
             * @description How it is written.
             * @enum {string}
             */
            format: "csv" | "ndjson" | "json";
        };
        /**
         * @description A field of a product that a column can have.
         * @enum {string}
         */
        ImportField: "id" | "name" | "brand" | "sku" | "barcode" | "stock" | "status" | "description" | "information" | "tags" | "collections" | "images" | "sales";
        /** @description A column of a file. */
        ChangeSetColumn: {
            /** @description As the file has it. */
            name: string;
            /** @description What its name says, in English or Turkish; null if nothing. */
            field: components["schemas"]["ImportField"] | null;
            /** @description Its first values, shortened. */
            samples: string[];
        };
        /** @description An uploaded file of products. */
        ChangeSetUpload: {
            uploadId: components["schemas"]["Id"];
            /** @description As it was sent. */
            fileName: string;
            /** @description Without the line of names. */
            rows: number;
            /** @description In the order of the file. */
            columns: components["schemas"]["ChangeSetColumn"][];
        };
        /** @description Nothing to choose. */
        ChangeSetStep: Record<string, never>;
        /** @description How to apply a plan. */
        ChangeSetApply: {
            /**
             * @description Leave rows with errors out.
             * @default false
             */
            skipErrors: boolean;
        };
        /**
         * @description PLANNING, APPLYING and UNDOING are under way; PLANNED can be applied; WAITING needs the word of a person in the dashboard; EXPIRED is a plan after 7 days.
         * @enum {string}
         */
        ChangeSetState: "PLANNING" | "PLANNED" | "WAITING" | "APPLYING" | "APPLIED" | "UNDOING" | "UNDONE" | "CANCELLED" | "FAILED" | "EXPIRED";
        /** @description Who did it. */
        ChangeSetActor: {
            /**
             * @description An owner or a member of the team, a key or an agent.
             * @enum {string}
             */
            type: "OWNER" | "STAFF" | "API_KEY" | "AGENT";
            /** @description The person, key or agent as it was called then. */
            name: string;
        };
        /** @description The rows by what they do. */
        ChangeSetCounts: {
            /** @description All rows. */
            rows: number;
            /** @description Rows that create a product. */
            creates: number;
            /** @description Rows that change one. */
            updates: number;
            /** @description Rows that delete one. */
            deletes: number;
            /** @description Rows whose product has the values already. */
            unchanged: number;
            /** @description Rows that cannot be applied. */
            errors: number;
        };
        /** @description How far the present step is. */
        ChangeSetProgress: {
            /** @description Rows that are done. */
            done: number;
            /** @description Rows in all. */
            total: number;
        };
        /** @description Changes of many products, planned, applied or undone as one. */
        ChangeSet: {
            id: components["schemas"]["Id"];
            workspaceId: components["schemas"]["Id"];
            /** @description What people call it. */
            title: string;
            state: components["schemas"]["ChangeSetState"];
            /** @description The file that was imported; null without one. */
            fileName: string | null;
            counts: components["schemas"]["ChangeSetCounts"];
            progress: components["schemas"]["ChangeSetProgress"];
            createdBy: components["schemas"]["ChangeSetActor"];
            /** @description When it was made. */
            createdAt: components["schemas"]["Time"];
            /** @description When the plan was ready. */
            plannedAt: components["schemas"]["Time"] | null;
            /** @description Who applied it. */
            appliedBy: components["schemas"]["ChangeSetActor"] | null;
            /** @description When it was applied. */
            appliedAt: components["schemas"]["Time"] | null;
            /** @description Who undid it. */
            undoneBy: components["schemas"]["ChangeSetActor"] | null;
            /** @description When it was undone. */
            undoneAt: components["schemas"]["Time"] | null;
            /** @description Why the last step was not taken; null if it was. */
            failure: string | null;
        };
        /** @description A page of change sets. */
        ChangeSetList: {
            /** @description The sets of the page, newest first. */
            changeSets: components["schemas"]["ChangeSet"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description What a row changes. */
        ChangeSetRow: {
            /** @description The row, from 0. */
            row: number;
            /**
             * @description As it was sent.
             * @enum {string}
             */
            action: "create" | "update" | "patch" | "upsert" | "delete";
            /** @description The product; null where there is none. */
            productId: components["schemas"]["Id"] | null;
            /** @description Its stock keeping unit. */
            sku: string | null;
            /** @description Its name. */
            name: string | null;
            /** @description The fields that change. */
            changes: components["schemas"]["ActivityChange"][];
            /** @description A sentence for each column at fault. */
            errors: {
                [key: string]: string;
            };
        };
        /** @description A page of rows. */
        ChangeSetRowList: {
            /** @description The rows of the page, in order. */
            rows: components["schemas"]["ChangeSetRow"][];
            pagination: components["schemas"]["Pagination"];
        };
        ShopTimeZone: {
            timeZone: components["schemas"]["TimeZone"];
        };
        /** @description A time zone by its IANA name, such as Europe/Istanbul. */
        TimeZone: string;
        /** @description Whether agents' changes of many products wait for a person. */
        AgentChanges: {
            /** @description Whether they wait. Single writes of agents are never held. */
            agentChangesNeedApproval: boolean;
        };
        /** @description What a search of the catalogue found. */
        CatalogueHits: {
            /** @description By kind: products, collections, tags, images. Products alone with fields. */
            hits: (components["schemas"]["CatalogueHit"] | components["schemas"]["ProductPart"])[];
        };
        /** @description A page of the change feed. */
        CatalogueChanges: {
            /** @description In the order of commits. A resource may be named several times. */
            changes: components["schemas"]["CatalogueChange"][];
            /** @description Where to go on; opaque. */
            cursor: string;
            /** @description Whether there are changes after this cursor already. */
            hasMore: boolean;
        };
        /** @description A resource that was written or deleted. */
        CatalogueChange: {
            /**
             * @description What it is.
             * @enum {string}
             */
            kind: "PRODUCT" | "COLLECTION" | "TAG" | "MEDIA" | "WEBSITE";
            /** @description Its id; of WEBSITE, the id of its workspace. */
            id: components["schemas"]["Id"];
            /**
             * @description DELETE if there is no such resource any more.
             * @enum {string}
             */
            action: "UPSERT" | "DELETE";
            /** @description When the write arrived. */
            changedAt: components["schemas"]["Time"];
        };
        /** @description A domain to add. */
        DomainCreate: {
            /** @description A public host name, without scheme, port or path. Names in other scripts are stored in their ASCII form. */
            name: string;
        };
        /** @description What to change of a domain. */
        DomainUpdate: {
            /** @description Whether the domain is the address of the shop's pages. At most one is. */
            isPrimary: boolean;
        };
        /**
         * @description What is wrong with the record that verifies a domain.
         * @enum {string}
         */
        DomainProblem: "NO_RECORD" | "OTHER_VALUE" | "NO_ANSWER";
        /** @description A domain of a shop. */
        Domain: {
            id: components["schemas"]["Id"];
            /** @description The host name, in its ASCII form. */
            name: string;
            /**
             * @description PENDING until its record has been found.
             * @enum {string}
             */
            status: "PENDING" | "VERIFIED";
            /** @description Whether it is the address of the shop's pages. */
            isPrimary: boolean;
            /** @description Whether the shop may be shown there; a name that passes for a company waits for a person. */
            isNameApproved: boolean;
            /** @description Where the TXT record stands. */
            recordName: string;
            /** @description What the TXT record says. Keep it there. */
            recordValue: string;
            /** @description What the last look at the record found: NO_RECORD, none; OTHER_VALUE, one with another value; NO_ANSWER, the name servers did not answer; null if it was there, or nobody has looked. */
            problem: components["schemas"]["DomainProblem"] | null;
            /**
             * Format: date-time
             * @description When the record was last looked up; null if it never was.
             */
            checkedAt: string | null;
            /**
             * Format: date-time
             * @description Since when it is verified; null until then.
             */
            verifiedAt: string | null;
            /** @description When it was added. */
            createdAt: components["schemas"]["Time"];
        };
        /** @description The domains of a workspace. */
        DomainList: {
            /** @description Whether the shop's pages are shown anywhere. False while its subdomain, name, title or headline passes for a company, or its subdomain for a place to sign in or to pay, and no person has approved it. */
            isNameApproved: boolean;
            /** @description The oldest first. */
            domains: components["schemas"]["Domain"][];
        };
        /**
         * @description What a webhook can tell: that a resource changed or was deleted, that a product ran out of stock, that a visitor wrote feedback, that credits fell below the owner's threshold, that a change set was applied or waits for approval.
         * @enum {string}
         */
        WebhookEvent: "product.changed" | "product.deleted" | "collection.changed" | "collection.deleted" | "media.changed" | "media.deleted" | "tag.changed" | "tag.deleted" | "website.changed" | "product.out_of_stock" | "feedback.created" | "wallet.low" | "change_set.applied" | "change_set.waiting";
        /** @description A new webhook. */
        WebhookCreate: {
            /** @description Where to send to: https, a public host, port 443, no user name. Redirects are not followed. */
            url: string;
            /** @description What to tell. */
            events: components["schemas"]["WebhookEvent"][];
            /** @description What it is for, in your words. */
            description?: string;
        };
        /** @description What to change of a webhook. */
        WebhookUpdate: {
            /** @description Where to send to: https, a public host, port 443, no user name. Redirects are not followed. */
            url?: string;
            /** @description What to tell. */
            events?: components["schemas"]["WebhookEvent"][];
            /** @description What it is for, in your words. */
            description?: string;
            /**
             * @description DISABLED sends nothing; ACTIVE begins with what happens from now on.
             * @enum {string}
             */
            status?: "ACTIVE" | "DISABLED";
        };
        /** @description A URL that is told what happens. */
        Webhook: {
            id: components["schemas"]["Id"];
            /** @description Where it sends to. */
            url: string;
            /** @description What it tells. */
            events: components["schemas"]["WebhookEvent"][];
            /** @description What it is for. */
            description: string;
            /**
             * @description DISABLED by its owner, or after its receiver failed for 3 days.
             * @enum {string}
             */
            status: "ACTIVE" | "DISABLED";
            /**
             * Format: date-time
             * @description Since when every delivery has failed; null while they succeed.
             */
            failingSince: string | null;
            /** @description When it was created. */
            createdAt: components["schemas"]["Time"];
            /** @description When it was last changed. */
            updatedAt: components["schemas"]["Time"];
        };
        /** @description A webhook and its secret. */
        WebhookWithSecret: {
            id: components["schemas"]["Id"];
            /** @description Where it sends to. */
            url: string;
            /** @description What it tells. */
            events: components["schemas"]["WebhookEvent"][];
            /** @description What it is for. */
            description: string;
            /**
             * @description DISABLED by its owner, or after its receiver failed for 3 days.
             * @enum {string}
             */
            status: "ACTIVE" | "DISABLED";
            /**
             * Format: date-time
             * @description Since when every delivery has failed; null while they succeed.
             */
            failingSince: string | null;
            /** @description When it was created. */
            createdAt: components["schemas"]["Time"];
            /** @description When it was last changed. */
            updatedAt: components["schemas"]["Time"];
            /**
             * Format: password
             * @description Signs what is sent. Shown once.
             */
            secret: string;
        };
        /** @description The webhooks of a workspace. */
        WebhookList: {
            /** @description The oldest first. */
            webhooks: components["schemas"]["Webhook"][];
        };
        /** @description A message to a webhook's URL. */
        WebhookDelivery: {
            /** @description Sent as webhook-id, also when sent again. */
            id: components["schemas"]["Id"];
            /** @description What happened; webhook.test for a test. */
            type: string;
            /**
             * @description PENDING until it was delivered, or given up after 3 days.
             * @enum {string}
             */
            status: "PENDING" | "DELIVERED" | "FAILED";
            /** @description How often it was tried. */
            attempts: number;
            /** @description The HTTP status of the last answer; null without one. */
            responseStatus: number | null;
            /** @description Why the last attempt failed; null if it did not. */
            error: string | null;
            /** @description When it was made. */
            createdAt: components["schemas"]["Time"];
            /**
             * Format: date-time
             * @description When it was last tried; null before.
             */
            lastAttemptAt: string | null;
            /**
             * Format: date-time
             * @description When it is tried next, at the earliest; null if it is not.
             */
            nextAttemptAt: string | null;
        };
        /** @description A page of deliveries. */
        WebhookDeliveryList: {
            /** @description The newest first. */
            deliveries: components["schemas"]["WebhookDelivery"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description One thing that was found. */
        CatalogueHit: {
            /** @description Its prefix tells the kind (prod, coll, tag or med). */
            id: components["schemas"]["Id"];
            /** @description Its name; for products also brand, stock and, unless ACTIVE, the status. */
            text: string;
        };
        /** @description Views and questions by product. */
        ProductStatistics: {
            /** @description The most viewed first. */
            products: components["schemas"]["ProductStatistic"][];
            pagination: components["schemas"]["Pagination"];
            /** @description The first UTC date. */
            from: components["schemas"]["CalendarDate"];
            /** @description The last UTC date, included. */
            to: components["schemas"]["CalendarDate"];
        };
        /** @description The views and questions of one product. */
        ProductStatistic: {
            /** @description The product. */
            productId: components["schemas"]["Id"];
            /** @description Its name; null if it was deleted since. */
            name: string | null;
            /** @description How often visitors viewed it. */
            views: number;
            /** @description How often visitors asked the AI about it. */
            questions: number;
            /** @description How many of these questions its texts did not answer. */
            unanswered: number;
        };
        /** @description A product of the catalogue. */
        Product: {
            id: components["schemas"]["Id"];
            /** @description Unique among products that are not DELETED. Case does not count. */
            name: string;
            /** @description The maker, as shoppers know it. */
            brand: string;
            /** @description The name for URLs, unique in the service. A rename keeps it. */
            slug: string;
            /** @description Shoppers read it first. */
            description: string;
            /** @description What the AI answers from: ingredients, sizes, care. */
            information: string;
            /** @description In order; the first is the cover. */
            images: components["schemas"]["Media"][];
            /** @description In order. */
            tags: components["schemas"]["Tag"][];
            /** @description Where the product is sold. */
            sales: components["schemas"]["SalesEntry"][];
            /** @description Unique like the name. The stock keeping unit. */
            sku: string;
            /** @description GTIN, EAN or an own code, unique too. */
            barcode: string;
            /** @description How many can be sold. 0 means out of stock. */
            stock: number;
            status: components["schemas"]["ProductStatus"];
            /** @description When the product was created. */
            createdAt: components["schemas"]["Time"];
            /** @description The last change. */
            updatedAt: components["schemas"]["Time"];
        };
        /**
         * @description A field of a product.
         * @enum {string}
         */
        ProductField: "id" | "name" | "brand" | "slug" | "description" | "information" | "images" | "tags" | "sales" | "sku" | "barcode" | "stock" | "status" | "createdAt" | "updatedAt";
        /** @description A product with the fields that were asked for, and its id. */
        ProductPart: {
            id: components["schemas"]["Id"];
            /** @description Unique among products that are not DELETED. Case does not count. */
            name?: string;
            /** @description The maker, as shoppers know it. */
            brand?: string;
            /** @description The name for URLs, unique in the service. A rename keeps it. */
            slug?: string;
            /** @description Shoppers read it first. */
            description?: string;
            /** @description What the AI answers from: ingredients, sizes, care. */
            information?: string;
            /** @description In order; the first is the cover. */
            images?: components["schemas"]["Media"][];
            /** @description In order. */
            tags?: components["schemas"]["Tag"][];
            /** @description Where the product is sold. */
            sales?: components["schemas"]["SalesEntry"][];
            /** @description Unique like the name. The stock keeping unit. */
            sku?: string;
            /** @description GTIN, EAN or an own code, unique too. */
            barcode?: string;
            /** @description How many can be sold. 0 means out of stock. */
            stock?: number;
            status?: components["schemas"]["ProductStatus"];
            /** @description When the product was created. */
            createdAt?: components["schemas"]["Time"];
            /** @description The last change. */
            updatedAt?: components["schemas"]["Time"];
        };
        /** @description Counts over the whole workspace; outOfStock leaves DELETED products out. */
        ProductSummary: {
            /** @description Every product, DELETED ones too. */
            total: number;
            /** @description Published products. */
            active: number;
            /** @description Products that are not published yet. */
            inactive: number;
            /** @description Products with stock 0 that are not DELETED, which the filter `stock=OUT` does list. */
            outOfStock: number;
        };
        ProductList: {
            /** @description The products of the page; whole, unless fields were asked for. */
            products: (components["schemas"]["Product"] | components["schemas"]["ProductPart"])[];
            pagination: components["schemas"]["Pagination"];
            summary: components["schemas"]["ProductSummary"];
        };
        ProductPage: {
            /** @description The products of the page. */
            products: components["schemas"]["Product"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description What a new collection starts with. */
        CollectionCreate: {
            /** @description What shoppers read. Need not be unique. */
            name: string;
            /**
             * @description A text about the collection.
             * @default
             */
            description: string;
            /**
             * @description In order. Tags of this workspace, none twice.
             * @default []
             */
            tagIds: components["schemas"]["Id"][];
            /**
             * @description Media of this workspace, or null for none.
             * @default null
             */
            imageId: string | null;
            /** @description In order. Products of this workspace, none twice. */
            productIds?: components["schemas"]["Id"][];
        };
        /** @description What tools answer of a written collection: all but the products themselves, whose ids suffice. */
        CollectionWithoutProducts: {
            /** @description The collection. */
            id: components["schemas"]["Id"];
            /** @description What shoppers read. */
            name: string;
            /** @description The name for URLs. */
            slug: string;
            /** @description A text about the collection. */
            description: string;
            /** @description The id of its image, or null. */
            imageId: string | null;
            /** @description Its image, or null. */
            image: components["schemas"]["Media"] | null;
            /** @description The workspace. */
            workspaceId: components["schemas"]["Id"];
            /** @description All its products, in order. */
            productIds: components["schemas"]["Id"][];
            /** @description In order. */
            tags: components["schemas"]["Tag"][];
            /** @description Always empty; productIds is complete. */
            products: components["schemas"]["CollectionProduct"][];
            /** @description When it was created. */
            createdAt: components["schemas"]["Time"];
            /** @description Now. */
            updatedAt: components["schemas"]["Time"];
        };
        /** @description Every editable value. Nothing has a default, so that nothing is cleared unseen. */
        CollectionUpdate: {
            /** @description What shoppers read. Need not be unique. */
            name: string;
            /** @description A text about the collection. */
            description: string;
            /** @description In order. Tags of this workspace, none twice. */
            tagIds: components["schemas"]["IdList"];
            /** @description Media of this workspace, or null for none. */
            imageId: string | null;
        };
        /** @description The values to change, at least one; what is left out stays as it is. */
        CollectionPatch: {
            /** @description What shoppers read. Need not be unique. */
            name?: string;
            /** @description A text about the collection. */
            description?: string;
            /** @description In order. Tags of this workspace, none twice. */
            tagIds?: components["schemas"]["IdList"];
            /** @description Media of this workspace, or null for none. */
            imageId?: string | null;
            /** @description In order. Products of this workspace, none twice. */
            productIds?: components["schemas"]["Id"][];
        };
        /** @description What the tool answers of a changed collection. */
        PatchedCollection: {
            /** @description The collection. */
            id: components["schemas"]["Id"];
            /** @description Its name. */
            name: string;
            /** @description The id of its image, or null. */
            imageId: string | null;
            /** @description When it was last changed. */
            updatedAt: components["schemas"]["Time"];
        };
        /** @description A product in short, without its long texts. */
        CollectionProduct: {
            id: components["schemas"]["Id"];
            /** @description The name of the product. */
            name: string;
            /** @description The maker, as shoppers know it. */
            brand: string;
            /** @description The name for URLs, unique in the service. */
            slug: string;
            /** @description Your stock keeping unit. */
            sku: string;
            /** @description How many can be sold. 0 means out of stock. */
            stock: number;
            status: components["schemas"]["ProductStatus"];
            /** @description In order; the first is the cover. */
            images: components["schemas"]["Media"][];
            /** @description In order. */
            tags: components["schemas"]["Tag"][];
            createdAt: components["schemas"]["Time"];
            updatedAt: components["schemas"]["Time"];
        };
        /** @description Products in an order of your choice. */
        Collection: {
            id: components["schemas"]["Id"];
            /** @description What shoppers read. */
            name: string;
            /** @description The name for URLs, unique in the workspace. A rename keeps it. */
            slug: string;
            /** @description A text about the collection. */
            description: string;
            /** @description The id of its image, or null. */
            imageId: string | null;
            /** @description Its image, or null. */
            image: components["schemas"]["Media"] | null;
            /** @description The workspace it belongs to. */
            workspaceId: components["schemas"]["Id"];
            /** @description All its products, in order. */
            productIds: components["schemas"]["Id"][];
            /** @description In order. */
            tags: components["schemas"]["Tag"][];
            /** @description Its products in short: all of them, or the first of them in a list. None where they weigh more than 1 MiB and a tool or a repeated call answers; `productIds` is always complete. */
            products: components["schemas"]["CollectionProduct"][];
            /** @description When the collection was created. */
            createdAt: components["schemas"]["Time"];
            /** @description The last change. */
            updatedAt: components["schemas"]["Time"];
        };
        CollectionList: {
            /** @description The collections of the page, newest first. */
            collections: components["schemas"]["Collection"][];
            pagination: components["schemas"]["Pagination"];
        };
        CollectionProductList: {
            /** @description The products of the page, in the order of the collection. */
            products: components["schemas"]["CollectionProduct"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description The prepaid AI credits of a workspace. */
        Wallet: {
            /** @description The sum of all entries; negative in debt. */
            balance: number;
            /** @description Held for calls that are running. */
            reserved: number;
            /** @description balance less reserved. */
            available: number;
            /** @description Whether refunds have taken more than was left; AI is blocked until credits are bought. */
            inDebt: boolean;
            /** @description The last change of the balance. */
            updatedAt: components["schemas"]["Time"];
        };
        /** @description A line of the ledger. It never changes. */
        WalletEntry: {
            id: components["schemas"]["Id"];
            /**
             * @description Bought, refunded, used by an AI call, or adjusted by staff. A disputed payment is a refund, and another one, which adds credits, when the money comes back.
             * @enum {string}
             */
            type: "PURCHASE" | "REFUND" | "USAGE" | "ADJUSTMENT";
            /** @description Negative for what leaves the wallet. */
            credits: number;
            /** @description The balance after this entry. */
            balanceAfter: number;
            /** @description The checkout, call or adjustment behind it. */
            reference: string;
            /** @description Why, for an adjustment or a dispute, or what was used; null otherwise. */
            reason: string | null;
            /** @description When it was booked. */
            createdAt: components["schemas"]["Time"];
        };
        WalletEntryList: {
            /** @description The entries of the page, newest first. */
            entries: components["schemas"]["WalletEntry"][];
            pagination: components["schemas"]["Pagination"];
        };
        /**
         * @description Who did it: a member of the workspace, a visitor, an owner who tries the site as a visitor (TRIAL), a key, an agent or the service itself.
         * @enum {string}
         */
        ActorType: "OWNER" | "STAFF" | "CUSTOMER" | "GUEST" | "TRIAL" | "API_KEY" | "AGENT" | "SYSTEM";
        /**
         * @description What happened.
         * @enum {string}
         */
        UsageEventName: "chat.product" | "chat.routine" | "chat.analyze_face" | "visit" | "page.view" | "product.view" | "collection.view" | "click" | "custom" | "feedback.create" | "customer.sign_in" | "management.write" | "credits.purchase" | "credits.refund" | "credits.adjust";
        /** @description One thing that was done in the workspace. */
        UsageEvent: {
            id: components["schemas"]["Id"];
            /** @description The account or visitor; null where there is none. */
            userId: string | null;
            actorType: components["schemas"]["ActorType"];
            eventName: components["schemas"]["UsageEventName"];
            /** @description The operation that was called; empty if there is none. */
            endpoint: string;
            /** @description The kind of resource; empty if there is none. */
            resourceType: string;
            /** @description Its id; empty if there is none. */
            resourceId: string;
            /** @description Negative for use. */
            creditDelta: number;
            /** @description The AI model that answered; empty if none did. */
            modelKey: string;
            /**
             * @description Whether it succeeded.
             * @enum {string}
             */
            status: "SUCCESS" | "FAILED";
            /** @description When it happened. */
            createdAt: components["schemas"]["Time"];
        };
        UsageEventList: {
            /** @description The events of the page, newest first. */
            events: components["schemas"]["UsageEvent"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description What one actor did in the range of dates. */
        UsageRow: {
            actorType: components["schemas"]["ActorType"];
            /** @description The account or customer; null for guests, who share a row. */
            userId: string | null;
            /** @description Their name; Guests for all guests together. */
            name: string;
            /** @description Their last event. */
            lastUsedAt: components["schemas"]["Time"];
            /** @description All their events. */
            events: number;
            /** @description Successful AI requests. */
            requests: number;
            /** @description Credits used. */
            credits: number;
            /** @description Successful product chats. */
            productRequests: number;
            /** @description Successful routine chats. */
            routineRequests: number;
            /** @description Successful face analyses. */
            faceAnalyses: number;
            /** @description Successful requests in the comprehensive mode, face analyses included. */
            comprehensiveRequests: number;
            /** @description Product pages they saw. */
            productViews: number;
            /** @description Days on which they visited. */
            visits: number;
        };
        /** @description What was done in a range of dates, by actor. */
        UsageReport: {
            /** @description The rows of the page, latest use first. */
            usage: components["schemas"]["UsageRow"][];
            pagination: components["schemas"]["Pagination"];
            /** @description Sums over all pages. */
            totals: {
                /** @description All events. */
                events: number;
                /** @description Successful AI requests. */
                requests: number;
                /** @description Credits used. */
                credits: number;
            };
            /**
             * Format: date
             * @description The first date.
             */
            from: string;
            /**
             * Format: date
             * @description The last date, included.
             */
            to: string;
        };
        UsageByDay: {
            /** @description One entry per date and key that has events. */
            days: components["schemas"]["UsageDay"][];
            /**
             * Format: date
             * @description The first date.
             */
            from: string;
            /**
             * Format: date
             * @description The last date, included.
             */
            to: string;
        };
        UsageDay: {
            /**
             * Format: date
             * @description The date.
             */
            date: string;
            /** @description A kind of actor or the name of an event. */
            key: string;
            /** @description How many events there were. */
            events: number;
            /** @description Credits used. */
            credits: number;
        };
        /** @description How often a member gets a mail of what waits. */
        Digest: {
            /**
             * @description NEVER, every DAY or every WEEK.
             * @enum {string}
             */
            every: "NEVER" | "DAY" | "WEEK";
        };
        Insights: {
            /**
             * Format: date
             * @description The first date.
             */
            from: string;
            /**
             * Format: date
             * @description The last date, included.
             */
            to: string;
            /** @description The dates of the period before. */
            before: {
                /**
                 * Format: date
                 * @description Its first date.
                 */
                from: string;
                /**
                 * Format: date
                 * @description Its last date.
                 */
                to: string;
            };
            /** @description What visitors did in these days. */
            figures: components["schemas"]["InsightFigures"];
            /** @description The same of the period before. */
            figuresBefore: components["schemas"]["InsightFigures"];
            /** @description The dates with anything to count, oldest first. */
            days: components["schemas"]["InsightDay"][];
            /** @description What the answers cost by their kind, the dearest first. */
            modes: components["schemas"]["InsightMode"][];
        };
        InsightFigures: {
            /** @description How many visitors came, each counted once a day. */
            visits: number;
            /** @description How often a product was looked at. */
            views: number;
            /** @description How many questions were answered or tried. */
            questions: number;
            /** @description How many of them the texts had no answer to. */
            unanswered: number;
            /** @description How many clicks the site recorded. */
            clicks: number;
            /** @description How many of the clicks to shops on the shop's own pages came after an answer of the assistant to the same visitor on the same day. */
            clicksAfterAnswers: number;
            /** @description What the answers cost. */
            credits: number;
        };
        InsightDay: {
            /**
             * Format: date
             * @description The date.
             */
            date: string;
            /** @description How many visitors came. */
            visits: number;
            /** @description How often a product was looked at. */
            views: number;
            /** @description How many questions were asked. */
            questions: number;
            /** @description How many clicks the site recorded. */
            clicks: number;
        };
        SiteFigures: {
            /**
             * Format: date
             * @description The first date.
             */
            from: string;
            /**
             * Format: date
             * @description The last date, included.
             */
            to: string;
            /** @description Paths of the pages most read. */
            pages: components["schemas"]["PageCount"][];
            /** @description Hosts of the sites that visitors came from. */
            referrers: components["schemas"]["SiteCount"][];
            /** @description Words of searches that found nothing. */
            missed: components["schemas"]["SiteCount"][];
            /** @description Hosts of the shops that visitors went on to. */
            shops: components["schemas"]["SiteCount"][];
        };
        SiteCount: {
            /** @description What was counted. */
            name: string;
            /** @description How often. */
            count: number;
        };
        PageCount: {
            /** @description Its path. */
            name: string;
            /** @description The name of the product, collection or tag that it shows; null for other pages. */
            title: string | null;
            /** @description How often it was read. */
            count: number;
        };
        TopQuestions: {
            /**
             * Format: date
             * @description The first date.
             */
            from: string;
            /**
             * Format: date
             * @description The last date, included.
             */
            to: string;
            /** @description The most asked first. */
            questions: components["schemas"]["TopQuestion"][];
        };
        TopQuestion: {
            /** @description The question, in its most used wording. */
            text: string;
            /** @description How often it was asked. */
            asked: number;
        };
        InsightMode: {
            /** @description The kind of answer, such as chat.product. */
            kind: string;
            /** @description Whether the answers were thorough ones. */
            comprehensive: boolean;
            /** @description How many questions were asked. */
            questions: number;
            /** @description What the answers cost. */
            credits: number;
        };
        Pack: {
            /** @description What it adds to the wallet. */
            credits: number;
            /** @description What it costs, in units of the currency. */
            price: number;
            /** @description The ISO 4217 code. */
            currency: string;
        };
        PackList: {
            /** @description What can be bought, smallest first. */
            packs: components["schemas"]["Pack"][];
        };
        /** @description Something that shows a picture. */
        MediaUse: {
            id: components["schemas"]["Id"];
            /** @description What people call it. */
            name: string;
        };
        MediaUses: {
            /** @description The products that show it. */
            products: components["schemas"]["MediaUse"][];
            /** @description The collections that show it. */
            collections: components["schemas"]["MediaUse"][];
            /** @description Whether it is the logo of the website. */
            isLogo: boolean;
        };
        Receipt: {
            id: components["schemas"]["Id"];
            paidAt: components["schemas"]["Time"];
            /** @description The credits that were bought. */
            credits: number;
            /** @description What was paid for them. */
            price: number;
            /** @description The currency of the price, such as USD. */
            currency: string;
            /** @description The credits that were refunded since. */
            refundedCredits: number;
            /** @description The workspace that they are for. */
            workspaceName: string;
            /** @description Where the bill goes. */
            billingEmail: components["schemas"]["Email"];
        };
        ReceiptList: {
            /** @description The receipts of the page, newest first. */
            receipts: components["schemas"]["Receipt"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description A website that is not stored, for its preview. */
        WebsitePreview: {
            /** @description What to post to /preview of the shop, as the field draft. */
            draft: string;
        };
        BalanceAlert: {
            /** @description The balance below which a mail is sent; null for none. */
            below: number | null;
        };
        SiteBudget: {
            /** @description The credits of a UTC day; null for no limit. */
            dailyCredits: number | null;
        };
        CheckoutCreate: {
            /**
             * @description The credits of the pack.
             * @enum {integer}
             */
            pack: 500 | 1000 | 5000;
        };
        CreatedCheckout: {
            id: components["schemas"]["Id"];
            /** @description The page on which the buyer pays. */
            url: string;
        };
        Checkout: {
            id: components["schemas"]["Id"];
            /**
             * @description PAID once the payment is confirmed.
             * @enum {string}
             */
            status: "OPEN" | "PAID";
            /** @description What it adds to the wallet. */
            credits: number;
            /** @description How many of them were taken back. */
            refundedCredits: number;
            /** @description What it costs, in units of the currency. */
            price: number;
            /** @description The ISO 4217 code. */
            currency: string;
            createdAt: components["schemas"]["Time"];
            /**
             * Format: date-time
             * @description When it was paid; null before.
             */
            paidAt: string | null;
        };
        CheckoutRefund: {
            /** @description How many of the credits to refund; by default all that are left. */
            credits?: number;
        };
        /** @description A question that the site offers beside a product. */
        ProductQuestion: {
            id: components["schemas"]["Id"];
            /** @description The question, as shoppers read it. */
            text: string;
            /** @description When it was first stored. */
            createdAt?: components["schemas"]["Time"];
        };
        /** @description A question to store. */
        QuestionWrite: {
            /** @description Of a question to keep. */
            id?: components["schemas"]["Id"];
            /** @description As shoppers read it. */
            text: string;
            /** @description Ignored. */
            createdAt?: string;
        };
        ProductQuestionsUpdate: {
            /** @description All, in order; those left out are removed. */
            questions: components["schemas"]["QuestionWrite"][];
        };
        QuestionLibraryUpdate: {
            /** @description All, in order; those left out are removed. */
            questions: components["schemas"]["QuestionWrite"][];
        };
        /** @description The questions shown beside one product. */
        ProductQuestionSet: {
            /** @description The questions, in order. */
            questions: components["schemas"]["ProductQuestion"][];
            /** @description Whether they come from the library, because the product has none of its own. */
            usesDefaults: boolean;
        };
        /** @description The questions for products that have none of their own. */
        QuestionLibrary: {
            /** @description The questions, in order. */
            questions: components["schemas"]["ProductQuestion"][];
        };
        /** @description The questions that visitors may ask about a product. */
        PublishedQuestions: {
            /** @description The questions, in order. */
            questions: components["schemas"]["ProductQuestion"][];
        };
        /** @description What visitors asked about a product and its texts do not say. */
        UnansweredQuestion: {
            /** @description The id, for the reply. */
            id: components["schemas"]["Id"];
            /** @description The product it was asked about. */
            productId: components["schemas"]["Id"];
            /** @description The name of the product. */
            productName: string;
            /** @description The question in a visitor's words, at most 300 characters. */
            text: string;
            /** @description How often it was asked in this wording. */
            asked: number;
            /** @description When it was asked last. */
            lastAskedAt: components["schemas"]["Time"];
        };
        UnansweredQuestionList: {
            /** @description The questions of the page, the most asked first. */
            questions: components["schemas"]["UnansweredQuestion"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description What the shop replied to a visitor's question about a product. */
        QuestionReply: {
            /** @description The id, which is that of the question. */
            id: components["schemas"]["Id"];
            /** @description The product that the question is about. */
            productId: components["schemas"]["Id"];
            /** @description The name of the product. */
            productName: string;
            /** @description The question in a visitor's words, at most 300 characters. */
            question: string;
            /** @description What visitors who ask it read. */
            answer: string;
            /** @description When the reply was given or last changed. */
            updatedAt: components["schemas"]["Time"];
        };
        QuestionReplyList: {
            /** @description The replies of the page, the latest first. */
            replies: components["schemas"]["QuestionReply"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description What visitors read, word for word. Addresses that the shop has not entered as its own, and demands for payment, are refused: chats never repeat them. */
        ReplyText: string;
        /** @description The new words of a reply. */
        QuestionReplyUpdate: {
            answer: components["schemas"]["ReplyText"];
        };
        /** @description The owner's reply to a visitor's question. */
        QuestionAnswer: {
            answer: components["schemas"]["ReplyText"];
            /**
             * @description Whether the question also joins the question library.
             * @default false
             */
            addToLibrary: boolean;
            /**
             * @description SHOP joins the shop knowledge. It answers in every chat; a key or an agent needs website:write for it.
             * @default PRODUCT
             * @enum {string}
             */
            to: "PRODUCT" | "SHOP";
        };
        /** @description A question of a product, and what the model has answered. */
        KeptAnswer: {
            /** @description As visitors read it. */
            question: string;
            /**
             * @description NONE was not asked yet; CURRENT is shown; OLD is older than the product's texts, or rests on words of another product or of the shop that are no longer there, or says what stock, tags or places of sale no longer are; UNKNOWN is what none of them say, and OLD once the product has another tag. Neither is shown.
             * @enum {string}
             */
            state: "NONE" | "CURRENT" | "OLD" | "UNKNOWN";
            /** @description Null if there is none. */
            answer: string | null;
            citations: components["schemas"]["Citations"];
        };
        /** @description The questions of a product with their kept answers. */
        KeptAnswers: {
            /** @description The questions, in order. */
            answers: components["schemas"]["KeptAnswer"][];
            /** @description What it costs at most to ask those that are NONE or OLD. */
            credits: number;
        };
        /** @description What the owner agreed to pay. */
        KeptAnswersMake: {
            /** @description At most, as it was shown. */
            credits: number;
        };
        /** @description A question that visitors ask of the shop, and its answer. */
        ShopAnswerWrite: {
            /** @description As visitors ask it. */
            question: string;
            answer: components["schemas"]["ReplyText"];
        };
        ShopKnowledgeUpdate: {
            /** @description All, in order; those left out are removed. */
            entries: components["schemas"]["ShopAnswerWrite"][];
        };
        /** @description A question that visitors ask of the shop, and its answer. */
        ShopAnswer: {
            /** @description As visitors ask it. */
            question: string;
            /** @description What visitors read, word for word. */
            answer: string;
        };
        /** @description What the shop answers of itself. */
        ShopKnowledge: {
            /** @description The questions with their answers, in order. */
            entries: components["schemas"]["ShopAnswer"][];
        };
        /** @description Which AI modes the site offers, and for which trade. */
        AiSettings: {
            /** @description Whether chats may use the fast mode, LOW. */
            fastEnabled: boolean;
            /** @description Whether MEDIUM, HIGH and face analysis are on. */
            comprehensiveEnabled: boolean;
            /**
             * @description What the AI knows about: AUTO follows the template.
             * @enum {string}
             */
            sector: "AUTO" | "GENERAL" | "BEAUTY" | "TEXTILE";
        };
        /** @description Words and phrases that mean the same in this shop. */
        Synonyms: {
            /** @description The groups. */
            groups: components["schemas"]["SynonymGroup"][];
        };
        /** @description Words or phrases of one meaning. */
        SynonymGroup: {
            /** @description At least two; case and accents do not count. */
            words: string[];
        };
        /** @description An empty object. */
        Nothing: Record<string, never>;
        /** @description A visitor who signed in to the site. */
        CustomerProfile: {
            id: components["schemas"]["Id"];
            /** @description The person's name. */
            name: string;
            /** @description The verified address that signs in. */
            email: string;
            /** @description A phone number in E.164 form, or null. */
            phone: string | null;
            /** @description The language of mails and answers, as a BCP 47 tag. */
            language: string;
        };
        CustomerProfileUpdate: {
            /** @description The person's name. */
            name: components["schemas"]["PersonName"];
            /** @description The address as it is; it cannot change here. */
            email: components["schemas"]["Email"];
            /** @description E.164, or null for none. */
            phone: string | null;
            /** @description The language of mails and answers, as a BCP 47 tag. */
            language: components["schemas"]["Language"];
        };
        CustomerCodeRequest: {
            /** @description The customer's name, for a first sign-in. */
            name: components["schemas"]["PersonName"];
            /** @description Where the code goes. No plus sign, no disposable address. */
            email: components["schemas"]["Email"];
            /** @description E.164, or null for none. */
            phone?: string | null;
            challengeToken?: components["schemas"]["ChallengeToken"];
        };
        /**
         * Format: password
         * @description The solved bot challenge, where the site's policy asks for one; usable once. The ALTCHA widget (altcha 3.2.2) makes it from what GET /challenge answers.
         */
        ChallengeToken: string;
        CustomerCode: {
            /** @description The address that the code was mailed to. */
            email: components["schemas"]["Email"];
            code: components["schemas"]["OneTimeCode"];
        };
        /** @description The session that X-Visitor-Token stands for. */
        CustomerSession: {
            /** @description Who is signed in. */
            customer: components["schemas"]["CustomerProfile"];
            /** @description When the session ends unless it is used before. */
            sessionExpiresAt: components["schemas"]["Time"];
        };
        /** @description A customer and their session. */
        CustomerCredential: {
            /**
             * Format: password
             * @description The customer session, to be sent as X-Visitor-Token. Keep it on a server.
             */
            token: string;
            /** @description When the session ends unless it is used before. */
            sessionExpiresAt: components["schemas"]["Time"];
            /** @description Who is signed in. */
            customer: components["schemas"]["CustomerProfile"];
        };
        /** @description What a site must know before it greets a visitor. */
        Bootstrap: {
            /** @description The public part of the workspace. */
            workspace: {
                id: components["schemas"]["Id"];
                /** @description The name of the shop. */
                name: string;
                /** @description The name of the site in its address. */
                subDomain: string;
                /** @description The template in use. */
                templateKey: string;
                website: components["schemas"]["PublicWebsite"];
            };
            accessPolicy: components["schemas"]["AccessPolicy"];
            /** @description Who is looking. */
            viewer: {
                /**
                 * @description What the headers identify.
                 * @enum {string}
                 */
                type: "GUEST" | "CUSTOMER";
                /** @description Null for a guest. */
                customer: components["schemas"]["CustomerProfile"] | null;
                /** @description How many AI requests are left to the visitor today, in UTC. */
                remainingRequests: number;
            };
            /**
             * Format: password
             * @description To be sent as X-Guest-Token with the same X-Guest-Device-Id. Null when no device was named. A backend keeps it to itself.
             */
            guestToken: string | null;
            /** @description The siteKey of GET /challenge, for the widget of the bot challenge; null where there is none. */
            challengeSiteKey: string | null;
            /** @description Changes with whatever visitors can see. Send it as version with published reads, so that browsers and proxies may keep their answers for a day. */
            catalogueVersion: string;
        };
        /** @description At least one visible character. */
        ChatMessage: string;
        /** @description A JPEG, PNG, WebP, GIF or AVIF picture of at most 16 megapixels as base64, or a data URL of it. */
        Picture: string;
        ProductChatRequest: {
            message: components["schemas"]["ChatMessage"];
            /** @description A published product. */
            productId: components["schemas"]["Id"];
            /** @description Read by nobody; the name that is stored counts. */
            productName?: string;
            /**
             * @description LOW is the fast mode; MEDIUM and HIGH are the comprehensive one, and cost more.
             * @default LOW
             * @enum {string}
             */
            thinkingLevel: "LOW" | "MEDIUM" | "HIGH";
            /** @description The conversation to go on with, from an earlier answer; left out for a new one. */
            threadId?: components["schemas"]["Id"];
            challengeToken?: components["schemas"]["ChallengeToken"];
        };
        /** @description What the visitor says of themselves. */
        UserProfile: {
            /** @description In years. */
            age?: number;
            /** @description Such as dry or oily. */
            skinType?: string;
            /** @description What bothers them, such as redness. */
            concerns?: string[];
            /** @description What they want, such as calm skin. */
            goals?: string[];
            /** @description Anything else. */
            notes?: string;
        };
        RoutineChatRequest: {
            message: components["schemas"]["ChatMessage"];
            userProfile?: components["schemas"]["UserProfile"];
            /**
             * @description Published products that the visitor has chosen.
             * @default []
             */
            userSelectedRoutineProducts: components["schemas"]["Id"][];
            /**
             * @description Whether products may be added that the visitor has not chosen.
             * @default true
             */
            allowAiSuggestions: boolean;
            /**
             * @description LOW is the fast mode; MEDIUM and HIGH are the comprehensive one, and cost more.
             * @default LOW
             * @enum {string}
             */
            thinkingLevel: "LOW" | "MEDIUM" | "HIGH";
            /**
             * @description Up to 3 pictures of the visitor or of products, one credit each.
             * @default []
             */
            images: components["schemas"]["Picture"][];
            /** @description The conversation to go on with, from an earlier answer; left out for a new one. */
            threadId?: components["schemas"]["Id"];
            challengeToken?: components["schemas"]["ChallengeToken"];
        };
        FaceAnalysisRequest: {
            image: components["schemas"]["Picture"];
            challengeToken?: components["schemas"]["ChallengeToken"];
        };
        /** @description What the visitor may still ask today. */
        ChatAccess: {
            /** @description How many AI requests are left to the visitor today, in UTC. */
            remainingRequests: number;
        };
        /** @description What the call cost the workspace. */
        ChatCredits: {
            /** @description The credits taken from the wallet; 0 if the answer says nothing. */
            charged: number;
        };
        /** @description The sentences that the answer rests on, in the order of the answer. */
        Citations: {
            /** @description The product whose text it is; it is listed in products, too. Null for the shop's own words, such as an owner's reply. */
            productId: string | null;
            /** @description Word for word, as the product or the shop has it. */
            sentence: string;
        }[];
        /** @description A conversation in the list. */
        ThreadSummary: {
            /** @description The conversation. Send it back unchanged to go on. */
            threadId: string;
            /**
             * @description What its last turn was about.
             * @enum {string}
             */
            kind: "PRODUCT" | "ROUTINE" | "FACE";
            /** @description The product that was asked about last; null without one, or if it is not published. */
            productId: string | null;
            /** @description The beginning of what the visitor said first. */
            title: string;
            /** @description When the last turn was said. */
            updatedAt: components["schemas"]["Time"];
        };
        ThreadList: {
            /** @description The conversations of the page, the latest first. */
            threads: components["schemas"]["ThreadSummary"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description What one side said. */
        ThreadTurn: {
            /**
             * @description Who said it.
             * @enum {string}
             */
            role: "VISITOR" | "ASSISTANT";
            /** @description At most 4,000 characters. */
            text: string;
            citations: components["schemas"]["Citations"];
            /** @description When it was said. */
            createdAt: components["schemas"]["Time"];
        };
        /** @description A conversation. */
        Thread: {
            /** @description The conversation. Send it back unchanged to go on. */
            threadId: string;
            /** @description The latest 20 turns, the oldest first. */
            turns: components["schemas"]["ThreadTurn"][];
            /** @description The published products that the conversation is about or cites; none for guests of a site whose catalogue is for customers. */
            products: components["schemas"]["CollectionProduct"][];
        };
        ProductChatAnswer: {
            /** @description The conversation, of this visitor alone. Send it back unchanged to go on. */
            threadId: string;
            /** @description The answer, in the language of the message. */
            response: string;
            /** @description The published products that the answer names or cites. */
            products: components["schemas"]["CollectionProduct"][];
            citations: components["schemas"]["Citations"];
            access: components["schemas"]["ChatAccess"];
            credits: components["schemas"]["ChatCredits"];
        };
        /** @description One step of a routine. */
        RoutineStep: {
            /** @description From 1. */
            order: number;
            /** @description What the step is for. */
            title: string;
            /** @description The product to use; null where none fits. */
            productId: string | null;
            /** @description What to do. */
            instructions: string;
        };
        RoutineChatAnswer: {
            /** @description The conversation, of this visitor alone. Send it back unchanged to go on. */
            threadId: string;
            /** @description The answer, in the language of the message. */
            response: string;
            /** @description The published products that the answer names or cites. */
            products: components["schemas"]["CollectionProduct"][];
            /** @description The routine, in the order of use. */
            steps: components["schemas"]["RoutineStep"][];
            citations: components["schemas"]["Citations"];
            access: components["schemas"]["ChatAccess"];
            credits: components["schemas"]["ChatCredits"];
        };
        FaceAnalysis: {
            /** @description The conversation, of this visitor alone. A chat goes on with it. */
            threadId: string;
            /** @description What the picture shows, described and not judged. */
            response: string;
            /** @description The same, for programs. */
            analysis: {
                /** @description Always true: without exactly one face the call is refused. */
                faceDetected: boolean;
                /** @description What was seen, area by area. */
                observations: {
                    /** @description The part of the face. A selfie may be mirrored, so it is never left or right. */
                    area: string;
                    /** @description What is visible there. */
                    finding: string;
                    /**
                     * @description How strongly it shows.
                     * @enum {string}
                     */
                    severity: "LOW" | "MEDIUM" | "HIGH";
                }[];
            };
            /** @description Published products that speak of what shows; empty where the catalogue has none. */
            products: components["schemas"]["CollectionProduct"][];
            citations: components["schemas"]["Citations"];
            access: components["schemas"]["ChatAccess"];
            credits: components["schemas"]["ChatCredits"];
        };
        FeedbackCreate: {
            /** @description What the visitor wants to tell the shop. */
            message: string;
        };
        /** @description What a visitor wrote to the shop. */
        Feedback: {
            id: components["schemas"]["Id"];
            /** @description The workspace it was written to. */
            workspaceId: components["schemas"]["Id"];
            /** @description The customer who wrote it; null for a guest. */
            userId: string | null;
            /** @description What they wrote. */
            message: string;
            /** @description When they wrote it. */
            createdAt: components["schemas"]["Time"];
            /** @description The name of the workspace. */
            workspaceName: string | null;
        };
        /**
         * @description The kind of resource that a write changes.
         * @enum {string}
         */
        ActivityTopic: "products" | "change_sets" | "webhooks" | "domains" | "collections" | "tags" | "media" | "questions" | "knowledge" | "website" | "ai_settings" | "workspace" | "members";
        /** @description A field that a write has changed. */
        ActivityChange: {
            /** @description The name of the field; theme.font for a nested one. */
            field: string;
            /** @description Its value before, in words; null if it had none. */
            before: string | null;
            /** @description Its value after, in words; null if it has none. */
            after: string | null;
        };
        ProductRestore: {
            /**
             * @description Whether to bring it back without pictures and tags that are gone.
             * @default false
             */
            leaveOut: boolean;
        };
        FormerValues: {
            values: components["schemas"]["ProductPatch"];
            /** @description How many of the pictures and tags are gone since, and left out. */
            missing: number;
        };
        /** @description A product as it was when it was deleted. A summary leaves description and information out; long texts are cut. */
        ActivitySnapshot: {
            /** @description Its name. */
            name: string;
            /** @description Its brand. */
            brand: string;
            /** @description Its SKU. */
            sku: string;
            /** @description Its barcode. */
            barcode: string;
            /** @description Its stock. */
            stock: number;
            status: components["schemas"]["ProductStatus"];
            /** @description The start of its description. */
            description?: string;
            /** @description The start of its information. */
            information?: string;
            /** @description The names of its tags. */
            tags: string[];
            /** @description How many pictures it had. */
            images: number;
        };
        Activity: {
            id: components["schemas"]["Id"];
            createdAt: components["schemas"]["Time"];
            actorType: components["schemas"]["ActorType"];
            /** @description The account of the person whose session, key or agent it was. */
            actorId: string;
            /** @description What that person is called; empty if the account is gone. */
            actorName: string;
            /** @description The name of the key or the agent; empty for a person in the dashboard. */
            connectionName: string;
            topic: components["schemas"]["ActivityTopic"];
            /** @description The operation that was called. */
            operation: string;
            /** @description The resource that was written; empty for one of which there is only one. */
            resourceId: string;
            /** @description What people call it; empty if nothing. */
            resourceName: string;
            /** @description The changed fields; empty for a new or deleted resource. */
            changes: components["schemas"]["ActivityChange"][];
            /** @description The deleted product; null for any other write. */
            snapshot: components["schemas"]["ActivitySnapshot"] | null;
            /** @description Whether a person can put it back in the dashboard. */
            restorable: boolean;
        };
        /** @description The writes of one actor, or by one operation. */
        ActivityGroup: {
            /** @description By actor: the person in the dashboard, the key or the agent. By operation: the operation. */
            name: string;
            /** @description By actor: its kind, such as AGENT. By operation: the kind of resource. */
            type: string;
            /** @description The person who owns the key or agent; empty for a person and for an operation. */
            person: string;
            /** @description How many writes there were. */
            count: number;
            /** @description When the last one was. */
            lastAt: components["schemas"]["Time"];
            /** @description By actor: its most frequent operations. By operation: its most active actors. At most 8. */
            parts: components["schemas"]["ActivityPart"][];
            /** @description How many resources they wrote. */
            resources: number;
            /** @description The names of up to 3 of these resources, the last written first. */
            examples: string[];
        };
        ActivityPart: {
            /** @description The operation or the actor. */
            name: string;
            /** @description How many writes there were. */
            count: number;
        };
        ActivityList: {
            /** @description The writes of the page, newest first; empty with groupBy. */
            activities: components["schemas"]["Activity"][];
            /** @description The groups of the page, the largest first; empty without groupBy. */
            groups: components["schemas"]["ActivityGroup"][];
            pagination: components["schemas"]["Pagination"];
        };
        FeedbackList: {
            /** @description The messages of the page, newest first. */
            feedbacks: components["schemas"]["Feedback"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description Something a visitor did on the site. */
        VisitEvent: {
            /**
             * @description What the visitor did.
             * @enum {string}
             */
            name: "PAGE_VIEW" | "PRODUCT_VIEW" | "COLLECTION_VIEW" | "CLICK" | "CUSTOM";
            /** @description The product it was about; required with PRODUCT_VIEW. */
            productId?: components["schemas"]["Id"];
            /** @description The collection it was about; required with COLLECTION_VIEW. */
            collectionId?: components["schemas"]["Id"];
            /** @description The page of the site, without its host. Usage events show it as their resource. */
            path?: string;
            /** @description Up to 20 values of the site's own, by names of at most 60 characters. Usage events show the text under `name` as the resource of a CUSTOM event, and of others without a path. */
            properties?: {
                [key: string]: string | number | boolean;
            };
        };
        DashboardConfig: {
            /**
             * @description Which environment this is.
             * @enum {string}
             */
            environment: "development" | "production";
            /** @description What the bot challenge of the contact form is set up with. */
            challengeSiteKey: string;
            /** @description Whether people can sign in through an OpenID Connect issuer. */
            oidcEnabled: boolean;
        };
        Membership: {
            /** @description The workspace. */
            workspaceId: components["schemas"]["Id"];
            /** @description Its name. */
            workspaceName: string;
            /** @description The name of its site in the address. */
            subDomain: string;
            /** @description Whether its pages are shown; some names wait for a person. */
            isNameApproved: boolean;
            /** @description The shop's time zone; null until one is chosen, which counts as UTC. */
            timeZone: string | null;
            /**
             * @description Whether it may be used.
             * @enum {string}
             */
            workspaceStatus: "ACTIVE" | "SUSPENDED";
            role: components["schemas"]["Role"];
        };
        Session: {
            id: components["schemas"]["Id"];
            /** @description Who is signed in. */
            account: components["schemas"]["Account"];
            /** @description The workspaces they belong to. */
            memberships: components["schemas"]["Membership"][];
            /** @description When the session ends unless it is used before. */
            expiresAt: components["schemas"]["Time"];
        };
        SessionEntry: {
            id: components["schemas"]["Id"];
            /** @description The name of the browser; null if it is not known. */
            browser: string | null;
            /** @description The name of its system, such as Windows; null if it is not known. */
            system: string | null;
            /** @description When the person signed in. */
            createdAt: components["schemas"]["Time"];
            /** @description When it ends unless it is used before. */
            expiresAt: components["schemas"]["Time"];
            /** @description Whether it is the session that calls. */
            isCurrent: boolean;
        };
        SessionList: {
            /** @description The live sessions, newest first. */
            sessions: components["schemas"]["SessionEntry"][];
        };
        EndedSessions: {
            /** @description How many sessions have ended. */
            ended: number;
        };
        StaffSession: {
            id: components["schemas"]["Id"];
            /** @description Who is signed in. */
            email: components["schemas"]["Email"];
            /** @description When the session ends. */
            expiresAt: components["schemas"]["Time"];
        };
        /**
         * @description Whether an account or a workspace may be used.
         * @enum {string}
         */
        Standing: "ACTIVE" | "SUSPENDED";
        StandingUpdate: {
            status: components["schemas"]["Standing"];
        };
        WorkspaceLimit: {
            /** @description How many workspaces the account may own. */
            workspaceLimit: number;
        };
        AdminAccount: {
            id: components["schemas"]["Id"];
            /** @description The address that signs in. */
            email: components["schemas"]["Email"];
            /** @description The person's name. */
            name: string;
            status: components["schemas"]["Standing"];
            /** @description How many workspaces it may own. */
            workspaceLimit: number;
            /** @description How many it owns. */
            ownedWorkspaces: number;
            createdAt: components["schemas"]["Time"];
            updatedAt: components["schemas"]["Time"];
        };
        /** @description A workspace that an account belongs to. */
        AdminMembership: {
            /** @description The workspace. */
            workspaceId: components["schemas"]["Id"];
            /** @description Its name. */
            workspaceName: string;
            role: components["schemas"]["Role"];
            /**
             * @description Whether the membership is in force.
             * @enum {string}
             */
            status: "ACTIVE" | "INVITED" | "SUSPENDED";
        };
        AdminAccountDetail: {
            /** @description The account as the list shows it. */
            account: components["schemas"]["AdminAccount"];
            /** @description The number to call; null if none was given. */
            phone: string | null;
            /** @description The language of its pages and mails. */
            language: string;
            /** @description The workspaces it belongs to. */
            memberships: components["schemas"]["AdminMembership"][];
            /** @description How many of its keys work now. */
            liveKeys: number;
            /** @description How many agents can act for it now. */
            liveConnections: number;
        };
        AdminWorkspaceDetail: {
            /** @description The workspace as the list shows it. */
            workspace: components["schemas"]["AdminWorkspace"];
            /** @description Everyone in the workspace, invited people too. */
            members: components["schemas"]["Member"][];
        };
        AdminAccountList: {
            /** @description The accounts of the page. */
            accounts: components["schemas"]["AdminAccount"][];
            pagination: components["schemas"]["Pagination"];
        };
        AdminWorkspace: {
            id: components["schemas"]["Id"];
            /** @description The name people read. */
            name: string;
            /** @description The name of the site in its address. */
            subDomain: string;
            /** @description The title of its home page. */
            title: string;
            /** @description The first line of its home page. */
            headline: string;
            /** @description Whether its pages are shown; some names, titles and headlines wait for a person. */
            isNameApproved: boolean;
            /** @description Its domains that are not led to the shop until a person has looked at them. */
            waitingDomains: string[];
            status: components["schemas"]["Standing"];
            /** @description The template of its website. */
            templateKey: string;
            /** @description Where invoices go. */
            billingEmail: components["schemas"]["Email"];
            /** @description The number to call; null if none was given. */
            billingPhone: string | null;
            /** @description The addresses of its active owners. */
            ownerEmails: components["schemas"]["Email"][];
            /** @description The credits of its wallet; negative when it is in debt. */
            balance: number;
            createdAt: components["schemas"]["Time"];
            updatedAt: components["schemas"]["Time"];
        };
        NameApproval: {
            /** @description Whether the pages are shown. */
            isNameApproved: boolean;
            /** @description The workspace's name when it was looked at; refused if it has another. */
            name?: components["schemas"]["WorkspaceName"];
            /** @description Its subdomain when it was looked at; refused if it has another. */
            subDomain?: components["schemas"]["SubDomain"];
            /** @description The title of its home page when it was looked at; refused if it has another. */
            title?: string;
            /** @description Its headline when it was looked at; refused if it has another. */
            headline?: string;
            /**
             * @description Those of waitingDomains that are approved, too; the others wait on.
             * @default []
             */
            domains: string[];
        };
        /**
         * @description A part of the home page; what the shop has nothing for is left out.
         * @enum {string}
         */
        HomeSection: "HERO" | "PRODUCTS" | "COLLECTIONS" | "ABOUT";
        /**
         * @description Width to height of the pictures in lists.
         * @enum {string}
         */
        PictureRatio: "1:1" | "4:5" | "3:4" | "2:3" | "4:3" | "3:2";
        /**
         * @description How round pictures, buttons and fields are.
         * @enum {string}
         */
        Corners: "SQUARE" | "SLIGHT" | "ROUND" | "VERY_ROUND";
        /**
         * @description How large the headings of the home page are.
         * @enum {string}
         */
        HeadingSize: "SMALL" | "MEDIUM" | "LARGE";
        /**
         * @description How heavy headings are.
         * @enum {string}
         */
        HeadingWeight: "REGULAR" | "MEDIUM" | "BOLD";
        /** @description What staff choose for the pages of a shop in the customized template. */
        WorkspaceDesign: {
            /** @description The parts of the home page from top to bottom, each once. */
            sections: components["schemas"]["HomeSection"][];
            /**
             * @description Pictures of the shop beside its headline.
             * @enum {integer}
             */
            heroPictures: 0 | 1 | 3;
            /** @description The newest products on the home page. */
            newest: number;
            /** @description Products in a row on a wide screen. */
            columns: number;
            pictureRatio: components["schemas"]["PictureRatio"];
            corners: components["schemas"]["Corners"];
            /** @description Whether a line frames each product of a list. */
            isFramed: boolean;
            /** @description Behind the pages; a colour between light and dark is made lighter or darker. */
            paper: components["schemas"]["Color"];
            /** @description Behind the pages for readers who prefer the dark; moved as `paper` is. */
            night: components["schemas"]["Color"];
            /** @description Whether the head of the pages is in the shop's first colour; else on paper. */
            isHeadColored: boolean;
            headingSize: components["schemas"]["HeadingSize"];
            headingWeight: components["schemas"]["HeadingWeight"];
        };
        WorkspaceDesignDetail: {
            /** @description The stored design; the default one until another is stored. */
            design: components["schemas"]["WorkspaceDesign"];
            /** @description The design of a shop for which staff have chosen nothing. */
            defaults: components["schemas"]["WorkspaceDesign"];
        };
        AdminWorkspaceList: {
            /** @description The workspaces of the page. */
            workspaces: components["schemas"]["AdminWorkspace"][];
            pagination: components["schemas"]["Pagination"];
        };
        CreditAdjustment: {
            /** @description Never zero; a negative number takes credits. */
            credits: number;
            /** @description Why, for the ledger and the audit. */
            reason: string;
        };
        /**
         * @description Whether the software uses API keys or is an agent.
         * @enum {string}
         */
        SourceKind: "KEY" | "AGENT";
        /**
         * @description A blocked source is refused everywhere.
         * @enum {string}
         */
        SourceStatus: "APPROVED" | "BLOCKED";
        Source: {
            id: components["schemas"]["Id"];
            kind: components["schemas"]["SourceKind"];
            /** @description What the software calls itself. */
            name: string;
            /** @description By what the software is recognised again; what it calls itself is no proof. */
            identity: string;
            status: components["schemas"]["SourceStatus"];
            /** @description How many keys or grants it has. */
            connections: number;
            /** @description When it first appeared. */
            firstSeenAt: components["schemas"]["Time"];
            /** @description Its last use; null before the first. */
            lastUsedAt: components["schemas"]["Time"] | null;
        };
        SourceList: {
            /** @description The sources of the page. */
            sources: components["schemas"]["Source"][];
            pagination: components["schemas"]["Pagination"];
        };
        SourceConnection: {
            id: components["schemas"]["Id"];
            kind: components["schemas"]["SourceKind"];
            /** @description The account it acts for. */
            accountId: components["schemas"]["Id"];
            /** @description The address of that account. */
            accountEmail: components["schemas"]["Email"];
            /** @description What it asked for. */
            requestedScopes: components["schemas"]["Scope"][];
            /** @description What it was given. */
            scopes: components["schemas"]["Scope"][];
            /** @description When it was created. */
            createdAt: components["schemas"]["Time"];
            /** @description When it stops working. */
            expiresAt: components["schemas"]["Time"];
            /** @description When it was revoked; null while it is in use. */
            revokedAt: components["schemas"]["Time"] | null;
            /** @description The last use, to the minute; null before the first. */
            lastUsedAt: components["schemas"]["Time"] | null;
        };
        SourceConnectionList: {
            /** @description The connections of the page. */
            connections: components["schemas"]["SourceConnection"][];
            pagination: components["schemas"]["Pagination"];
        };
        ContactMessage: {
            /** @description The sender's name. */
            name: components["schemas"]["PersonName"];
            /** @description Where the answer goes. */
            email: components["schemas"]["Email"];
            /** @description What they want to say. */
            message: string;
            challengeToken: components["schemas"]["ChallengeToken"];
        };
        ContactRequest: {
            id: components["schemas"]["Id"];
            /** @description The sender's name. */
            name: string;
            /** @description Where the answer goes. */
            email: components["schemas"]["Email"];
            /** @description What they wrote. */
            message: string;
            /** @description When they wrote it. */
            createdAt: components["schemas"]["Time"];
            /** @description When staff marked it as read; null before. */
            readAt: components["schemas"]["Time"] | null;
        };
        ContactRequestList: {
            /** @description The requests of the page. */
            contactRequests: components["schemas"]["ContactRequest"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description The fields that a change was about; null where there was nothing. */
        AuditState: {
            [key: string]: string | number | boolean | null;
        } | null;
        /**
         * @description The operation; or what somebody at the server did, `create_staff_code`, `add_staff` or `remove_staff`.
         * @enum {string}
         */
        AuditAction: "update_account_limit" | "update_account_status" | "update_workspace_status" | "update_name_approval" | "update_workspace_design" | "adjust_credits" | "block_source" | "unblock_source" | "mark_contact_request_read" | "create_staff_code" | "add_staff" | "remove_staff";
        AuditEntry: {
            id: components["schemas"]["Id"];
            /** @description Who made the change; `operator` for somebody at the server itself. */
            staffEmail: string;
            action: components["schemas"]["AuditAction"];
            /**
             * @description What kind of thing was changed.
             * @enum {string}
             */
            subjectType: "account" | "workspace" | "source" | "contact_request" | "staff";
            /** @description Its id. */
            subjectId: components["schemas"]["Id"];
            /** @description What it was. */
            before: components["schemas"]["AuditState"];
            /** @description What it became. */
            after: components["schemas"]["AuditState"];
            /** @description When it was changed. */
            createdAt: components["schemas"]["Time"];
        };
        AuditEntryList: {
            /** @description The entries of the page, newest first. */
            entries: components["schemas"]["AuditEntry"][];
            pagination: components["schemas"]["Pagination"];
        };
        KeyCreate: {
            /** @description No control characters, and at least one visible one. */
            name: string;
            /** @description What the key may do. */
            scopes: components["schemas"]["Scope"][];
            /** @description After how many days it stops working. */
            expiresInDays: number;
        };
        Key: {
            id: components["schemas"]["Id"];
            /** @description The name it was given. */
            name: string;
            /** @description What it may do. */
            scopes: components["schemas"]["Scope"][];
            /** @description How the key begins. */
            prefix: string;
            /** @description When it was created. */
            createdAt: components["schemas"]["Time"];
            /** @description When it stops working. */
            expiresAt: components["schemas"]["Time"];
            /** @description To the minute; null when the key was never used. */
            lastUsedAt: string | null;
            /** @description When it was revoked; null while it is in use. */
            revokedAt: string | null;
        };
        CreatedKey: {
            id: components["schemas"]["Id"];
            /** @description The name it was given. */
            name: string;
            /** @description What it may do. */
            scopes: components["schemas"]["Scope"][];
            /** @description How the key begins. */
            prefix: string;
            /** @description When it was created. */
            createdAt: components["schemas"]["Time"];
            /** @description When it stops working. */
            expiresAt: components["schemas"]["Time"];
            /** @description The last use, to the minute; null before the first. */
            lastUsedAt: string | null;
            /** @description When it was revoked; null while it is in use. */
            revokedAt: string | null;
            /**
             * Format: password
             * @description The secret, shown once.
             */
            key: string;
        };
        TrialStart: {
            /** @description The workspace whose site is tried; the caller owns it. May be left out by an account that owns a single one. */
            workspaceId?: components["schemas"]["Id"];
        };
        Trial: {
            id: components["schemas"]["Id"];
            /**
             * Format: password
             * @description The secret, shown once.
             */
            key: string;
            /** @description When it stops working. */
            expiresAt: components["schemas"]["Time"];
        };
        KeyList: {
            /** @description The keys of the page, newest first. */
            keys: components["schemas"]["Key"][];
            pagination: components["schemas"]["Pagination"];
        };
        PublishableKeyCreate: {
            /** @description No control characters, and at least one visible one. */
            name: string;
            /** @description The https origins of the pages that may use it, as browsers send them; in development also http on this machine. */
            origins: string[];
            /**
             * @description The most credits that its chats may cost in a UTC day.
             * @default 200
             */
            dailyCredits: number;
        };
        PublishableKey: {
            id: components["schemas"]["Id"];
            /** @description The name it was given. */
            name: string;
            /** @description What pages send as their bearer credential. */
            key: string;
            /** @description The origins of the pages that may use it. */
            origins: string[];
            /** @description The most credits that its chats may cost in a UTC day. */
            dailyCredits: number;
            /** @description When it was created. */
            createdAt: components["schemas"]["Time"];
            /** @description To the minute; null when the key was never used. */
            lastUsedAt: string | null;
            /** @description When it was revoked; null while it is in use. */
            revokedAt: string | null;
        };
        PublishableKeyList: {
            /** @description The keys of the page, newest first. */
            publishableKeys: components["schemas"]["PublishableKey"][];
            pagination: components["schemas"]["Pagination"];
        };
        Connection: {
            id: components["schemas"]["Id"];
            /** @description What the agent calls itself. */
            clientName: string;
            /** @description The OAuth client. */
            clientId: string;
            /** @description What it asked for. */
            requestedScopes: components["schemas"]["Scope"][];
            /** @description What it was given. */
            scopes: components["schemas"]["Scope"][];
            /** @description The only workspace it may use; null when it may use every one. */
            workspaceId: string | null;
            /** @description Whether it must ask before anything is lost, wherever it connects. */
            askFirst: boolean;
            /** @description When it was created. */
            createdAt: components["schemas"]["Time"];
            /** @description When it stops working. */
            expiresAt: components["schemas"]["Time"];
            /** @description To the minute; null when the connection was never used. */
            lastUsedAt: string | null;
            /** @description When it was revoked; null while it is in use. */
            revokedAt: string | null;
        };
        ConnectionList: {
            /** @description The agents that the account has connected. */
            connections: components["schemas"]["Connection"][];
        };
        ConsentRequest: {
            /** @description What the agent calls itself. Nobody has checked it. */
            clientName: string;
            /** @description The OAuth client. */
            clientId: string;
            /** @description The host that the answer is sent to; the whole address where it is of a scheme of the agent's own. */
            redirectHost: string;
            /** @description Whether the answer stays on the person's own machine, where any program can call itself by the agent's name, whatever other addresses the agent has. */
            loopbackOnly: boolean;
            /** @description The account that decides. */
            accountEmail: string;
            /** @description What it asks for. */
            scopes: components["schemas"]["ScopeInWords"][];
            /** @description The workspaces that the account owns, to any one of which it can be limited. */
            workspaces: components["schemas"]["NamedWorkspace"][];
            /** @description Whether the agent must ask before anything is lost, as decided so far; false while nothing is. */
            askFirst: boolean;
            /** @description When the request can no longer be decided. */
            expiresAt: components["schemas"]["Time"];
        };
        NamedWorkspace: {
            id: components["schemas"]["Id"];
            /** @description Its name. */
            name: string;
        };
        ScopeInWords: {
            name: components["schemas"]["Scope"];
            /** @description What it allows, in the reader's language. */
            description: string;
        };
        ConsentDecision: {
            /**
             * @description Whether the agent is let in.
             * @enum {string}
             */
            decision: "allow" | "deny";
            /** @description What is allowed; by default everything that is asked for. */
            scopes?: components["schemas"]["Scope"][];
            /** @description The only workspace that it may use; by default every one. */
            workspaceId?: components["schemas"]["Id"];
            /**
             * @description Whether the agent must ask a person before anything is lost, at every address and for as long as the connection lasts. By default it need not.
             * @default false
             */
            askFirst: boolean;
        };
        ConsentOutcome: {
            /** @description Where to send the browser next. */
            redirectTo: string;
        };
        Member: {
            id: components["schemas"]["Id"];
            /** @description Null until the invitation is accepted. */
            accountId: string | null;
            /** @description The address that was invited. */
            email: string;
            /** @description Their name; empty until they accept. */
            name: string;
            role: components["schemas"]["Role"];
            /**
             * @description INVITED until they accept.
             * @enum {string}
             */
            status: "ACTIVE" | "INVITED" | "SUSPENDED";
            /** @description When they were invited. */
            createdAt: components["schemas"]["Time"];
        };
        MemberCreate: {
            /** @description Where the invitation goes. */
            email: components["schemas"]["Email"];
            role: components["schemas"]["Role"];
        };
        MemberUpdate: {
            role?: components["schemas"]["Role"];
            /**
             * @description SUSPENDED members keep their role and may do nothing.
             * @enum {string}
             */
            status?: "ACTIVE" | "SUSPENDED";
        };
        MemberList: {
            /** @description Everyone in the workspace, invited people too. */
            members: components["schemas"]["Member"][];
        };
        Invitation: {
            id: components["schemas"]["Id"];
            /** @description The workspace. */
            workspaceId: components["schemas"]["Id"];
            /** @description Its name. */
            workspaceName: string;
            role: components["schemas"]["Role"];
            /** @description Name and address of the owner who sent it; empty if the account is gone. */
            invitedBy: string;
            /** @description When it was sent. */
            createdAt: components["schemas"]["Time"];
        };
        InvitationList: {
            /** @description The open invitations to this account. */
            invitations: components["schemas"]["Invitation"][];
        };
    };
    responses: {
        /** @description The input is not valid; `fieldErrors` names each field at fault. */
        InvalidInput: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The credential is missing, malformed, expired, revoked or of another kind. */
        Unauthenticated: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The wallet of the workspace cannot pay for the call. */
        PaymentRequired: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The credential is valid and does not allow this call. */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The copy the client has is still current. */
        NotModified: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description There is no such resource here. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The write conflicts with what is stored. */
        Conflict: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The body is larger than its limit. */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The body is not of a type this operation takes. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description Too many requests. */
        RateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description An unexpected failure of the service; its details stay inside. */
        Internal: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The service cannot answer at the moment. */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
    };
    parameters: {
        /**
         * @description From list_workspaces.
         * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
         */
        WorkspaceId: components["schemas"]["Id"];
        /**
         * @description From list_products.
         * @example prod_01k9x5wd8ceq9s2m4h0v3t7b1n
         */
        IdOfProduct: components["schemas"]["Id"];
        /**
         * @description From list_collections.
         * @example coll_01k9x5wd8ceq9s2m4h0v3t7b1n
         */
        IdOfCollection: components["schemas"]["Id"];
        /**
         * @description From list_tags.
         * @example tag_01k9x5wd8ceq9s2m4h0v3t7b1n
         */
        IdOfTag: components["schemas"]["Id"];
        /**
         * @description From list_unanswered_questions.
         * @example qst_01k9x5wd8ceq9s2m4h0v3t7b1n
         */
        IdOfQuestion: components["schemas"]["Id"];
        /**
         * @description From list_question_replies.
         * @example qst_01k9x5wd8ceq9s2m4h0v3t7b2r
         */
        IdOfReply: components["schemas"]["Id"];
        /**
         * @description From list_media.
         * @example med_01k9x5wd8ceq9s2m4h0v3t7b1n
         */
        IdOfMedia: components["schemas"]["Id"];
        /**
         * @description From list_keys.
         * @example key_01k9x5wd8ceq9s2m4h0v3t7b1n
         */
        IdOfKey: components["schemas"]["Id"];
        /**
         * @description From list_publishable_keys.
         * @example pk_01k9x5wd8ceq9s2m4h0v3t7b1n
         */
        IdOfPublishableKey: components["schemas"]["Id"];
        /**
         * @description From list_connections.
         * @example grant_01k9x5wd8ceq9s2m4h0v3t7b1n
         */
        IdOfConnection: components["schemas"]["Id"];
        /**
         * @description From list_members.
         * @example mem_01k9x5wd8ceq9s2m4h0v3t7b1n
         */
        IdOfMember: components["schemas"]["Id"];
        /**
         * @description From list_invitations.
         * @example mem_01k9x5wd8ceq9s2m4h0v3t7b1n
         */
        IdOfInvitation: components["schemas"]["Id"];
        /**
         * @description The checkout, from create_checkout.
         * @example chk_01k9x5wd8ceq9s2m4h0v3t7b1n
         */
        IdOfCheckout: components["schemas"]["Id"];
        /**
         * @description From list_accounts.
         * @example acc_01k9x5wd8ceq9s2m4h0v3t7b1n
         */
        IdOfAccount: components["schemas"]["Id"];
        /**
         * @description From list_all_workspaces.
         * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
         */
        IdOfWorkspace: components["schemas"]["Id"];
        /**
         * @description From list_sources.
         * @example src_01k9x5wd8ceq9s2m4h0v3t7b1n
         */
        IdOfSource: components["schemas"]["Id"];
        /**
         * @description From list_contact_requests.
         * @example ctc_01k9x5wd8ceq9s2m4h0v3t7b1n
         */
        IdOfContactRequest: components["schemas"]["Id"];
        /**
         * @description The consent request, from the address of the consent page.
         * @example Zk3q2-7wAbCdEfGhIjKlMnOpQrStUvWxYz0123456789
         */
        RequestId: components["schemas"]["Id"];
        /**
         * @description A tag of the workspace.
         * @example tag_01k9x5wd8ceq9s2m4h0v3t7b1n
         */
        TagId: components["schemas"]["Id"];
        /**
         * @description A product of the workspace.
         * @example prod_01k9x5wd8ceq9s2m4h0v3t7b1n
         */
        ProductId: components["schemas"]["Id"];
        /**
         * @description The secret at the end of a URL from create_media_upload.
         * @example wsu_dev_example
         */
        UploadToken: string;
        /**
         * @description A collection of the workspace.
         * @example coll_01k9x5wd8ceq9s2m4h0v3t7b1n
         */
        CollectionId: components["schemas"]["Id"];
        /**
         * @description The slug of a product.
         * @example rose-balm
         */
        ProductSlug: string;
        /**
         * @description The slug of a collection.
         * @example evening
         */
        CollectionSlug: string;
        /** @description In any case and script. % and _ stand for themselves. */
        Search: string;
        /** @description Only these statuses. Repeat it, or separate them by commas. */
        ProductStatusFilter: components["schemas"]["ProductStatus"][];
        /** @description How often an image is used; not at all, at least once, at least twice. */
        MediaUsage: "UNUSED" | "LINKED" | "MULTI_LINKED";
        /** @description By default 29 days before the last; at most 400 days. */
        UsageFrom: components["schemas"]["CalendarDate"];
        /** @description Included; by default today. */
        UsageTo: components["schemas"]["CalendarDate"];
        /** @description Whose dates. */
        UsageDays: "UTC" | "SHOP";
        /** @description Only questions that were asked on this UTC date or later. */
        AskedFrom: components["schemas"]["CalendarDate"];
        /** @description Only those with this status. */
        StandingFilter: components["schemas"]["Standing"];
        /** @description Only sources with this status. */
        SourceStatusFilter: components["schemas"]["SourceStatus"];
        /** @description Only actors of this kind. */
        UsageActorType: components["schemas"]["ActorType"];
        /** @description A line of cells for each product, or a line with a JSON object. */
        ExportFormat: "csv" | "ndjson";
        /**
         * @description The id of the write.
         * @example evt_01k9x5wd8ceq9s2m4h0v3t7b1n
         */
        ActivityId: components["schemas"]["Id"];
        /** @description The first UTC date. */
        ActivityFrom: components["schemas"]["CalendarDate"];
        /** @description The last UTC date, included. */
        ActivityTo: components["schemas"]["CalendarDate"];
        /** @description Only writes by this one, such as delete_product. */
        ActivityOperation: string;
        /** @description Only writes to this product. */
        ActivityProduct: components["schemas"]["Id"];
        /** @description Counts, in `groups`. They come the largest first, `activities` is empty, and the pages are those of the groups. */
        ActivityGrouping: "actor" | "operation";
        /** @description In a summary texts are cut at 80 characters, in full at 300. */
        ActivityView: "full" | "summary";
        /** @description Only writes to resources of this kind. */
        ActivityTopicFilter: components["schemas"]["ActivityTopic"];
        /** @description Only writes to this resource. */
        ActivityResourceFilter: components["schemas"]["Id"];
        /** @description Only events of this name. */
        EventNameFilter: components["schemas"]["UsageEventName"];
        /** @description IN has stock, OUT has none. */
        StockFilter: "IN" | "OUT";
        /** @description Only products with an image, or without. */
        HasImagesFilter: boolean;
        /** @description Likewise for descriptions. */
        HasDescriptionFilter: boolean;
        /** @description Likewise for tags. */
        HasTagsFilter: boolean;
        /** @description Likewise for a twin in name, spaces and punctuation aside. */
        HasDuplicatesFilter: boolean;
        /** @description Only products of this brand, in any case. */
        BrandFilter: string;
        /** @description Only products changed since this UTC date or time. */
        UpdatedSinceFilter: components["schemas"]["DateOrTime"];
        /** @description Only the product with this SKU, in any case. */
        SkuFilter: string;
        /** @description Only these products. Repeat it, or separate them by commas. */
        IdsFilter: components["schemas"]["Id"][];
        /** @description Only these fields of products, and the id. Not with view=summary. Repeat it, or separate them by commas. */
        ProductFields: components["schemas"]["ProductField"][];
        /**
         * @description The webhook's id.
         * @example wh_01k9x5wd8ceq9s2m4h0v3t7b1n
         */
        IdOfWebhook: components["schemas"]["Id"];
        /**
         * @description The domain's id.
         * @example dom_01k9x5wd8ceq9s2m4h0v3t7b1n
         */
        IdOfDomain: components["schemas"]["Id"];
        /**
         * @description The delivery's id.
         * @example msg_01k9x5wd8ceq9s2m4h0v3t7b1n
         */
        DeliveryId: components["schemas"]["Id"];
        /** @description The cursor of an earlier answer; without it from the oldest change kept, with latest from now on. */
        ChangesAfter: string;
        /** @description How many changes to answer at most. */
        ChangesLimit: number;
        /** @description How many hits to answer of each kind. */
        HitLimit: number;
        /**
         * @description From list_change_sets.
         * @example cs_01k9x5wd8ceq9s2m4h0v3t7b1n
         */
        IdOfChangeSet: components["schemas"]["Id"];
        /** @description Only sets that wait for a person, or only others. */
        WaitingFilter: boolean;
        /** @description Only rows with errors, or only those that change something. */
        ChangeSetRowFilter: "errors" | "changes";
        /** @description Only products with this tag. */
        TagFilter: components["schemas"]["Id"];
        /** @description Only products of this collection. */
        CollectionFilter: components["schemas"]["Id"];
        /** @description A hyphen means descending. By default the newest come first, with a search the best matches. */
        ProductSort: components["schemas"]["ProductOrder"];
        /** @description A hyphen means descending. By default the order of the collection. */
        CollectionProductSort: components["schemas"]["ProductOrder"];
        /** @description summary is short. It clips long texts to 200 characters, with a mark. */
        View: "full" | "summary";
        /** @description From 1. Beyond the last page the list is empty. */
        Page: number;
        /** @description Rows on a page. */
        PageSize: number;
        /**
         * @description A conversation, as a chat answered it.
         * @example wst_dev_mH3wqJ8x1nZ0yT5cV7bK2sD4fG6hL9pR0aE3uI8oYzM4tQ2wXk
         */
        ThreadId: components["schemas"]["Id"];
        /** @description The catalogueVersion of bootstrap. While it is the current one, the answer may be kept for a day; with another one, or without, shared caches keep it for a minute. */
        CatalogueVersion: string;
        /** @description The session of a customer, from verify_customer_code. With it, the headers of a guest do not count. */
        VisitorToken: string;
        /**
         * @description Your own id of a visitor's device, 8 to 128 visible ASCII characters.
         * @example device-0001
         */
        GuestDeviceId: string;
        /** @description The guestToken that bootstrap gave this device. */
        GuestToken: string;
        /** @description The visitor's languages, as the browser sends them; mails and descriptions are written in one of them. */
        AcceptLanguage: string;
        /** @description Makes a retry safe. The same key with the same body gets the stored answer for 24 hours. */
        IdempotencyKey: string;
        /** @description The ETag of the representation this write is based on. */
        IfMatch: string;
        /** @description The ETag of the copy the client has; an unchanged one answers 304. */
        IfNoneMatch: string;
    };
    requestBodies: never;
    headers: {
        /** @description A hash of this representation. A list of over 1 MiB is sent in parts and has none. */
        ETag: string;
        /** @description The path of what was created. */
        Location: string;
        /** @description What is left of the limit, and the seconds until it is whole again. */
        RateLimit: string;
        /** @description The limit and its window in seconds. */
        RateLimitPolicy: string;
        /**
         * @description Whole seconds to wait before the next attempt.
         * @example 12
         */
        RetryAfter: string;
        /**
         * @description The id of this request, which the service logs. Quote it when you ask for help.
         * @example 7f0c2f3e-9a41-4c0e-b7f4-1d6e8a2b3c4d
         */
        RequestId: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    get_account: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_workspaces: {
        parameters: {
            query?: {
                /** @description From 1. Beyond the last page the list is empty. */
                page?: components["parameters"]["Page"];
                /** @description Rows on a page. */
                pageSize?: components["parameters"]["PageSize"];
            };
            header?: {
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of owned workspaces and the creation policy. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_workspace: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe. The same key with the same body gets the stored answer for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkspaceCreate"];
            };
        };
        responses: {
            /** @description The new workspace. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_templates: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every supported template. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_workspace: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The workspace. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_workspace: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the representation this write is based on. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkspaceUpdate"];
            };
        };
        responses: {
            /** @description The workspace as it now stands. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_website: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The website configuration. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Website"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_website: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the representation this write is based on. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebsiteUpdate"];
            };
        };
        responses: {
            /** @description The website configuration as it now stands. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Website"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    search_catalogue: {
        parameters: {
            query?: {
                /** @description In any case and script. % and _ stand for themselves. */
                search?: components["parameters"]["Search"];
                /** @description How many hits to answer of each kind. */
                limit?: components["parameters"]["HitLimit"];
                /** @description Only these fields of products, and the id. Not with view=summary. Repeat it, or separate them by commas. */
                fields?: components["parameters"]["ProductFields"];
            };
            header?: {
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was found, products first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogueHits"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_changes: {
        parameters: {
            query?: {
                /** @description The cursor of an earlier answer; without it from the oldest change kept, with latest from now on. */
                after?: components["parameters"]["ChangesAfter"];
                /** @description How many changes to answer at most. */
                limit?: components["parameters"]["ChangesLimit"];
            };
            header?: {
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The changes and the cursor behind them. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogueChanges"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_products: {
        parameters: {
            query?: {
                /** @description From 1. Beyond the last page the list is empty. */
                page?: components["parameters"]["Page"];
                /** @description Rows on a page. */
                pageSize?: components["parameters"]["PageSize"];
                /** @description In any case and script. % and _ stand for themselves. */
                search?: components["parameters"]["Search"];
                /** @description Only these statuses. Repeat it, or separate them by commas. */
                status?: components["parameters"]["ProductStatusFilter"];
                /** @description IN has stock, OUT has none. */
                stock?: components["parameters"]["StockFilter"];
                /** @description Only products with this tag. */
                tagId?: components["parameters"]["TagFilter"];
                /** @description Only products of this collection. */
                collectionId?: components["parameters"]["CollectionFilter"];
                /** @description Only products with an image, or without. */
                hasImages?: components["parameters"]["HasImagesFilter"];
                /** @description Likewise for descriptions. */
                hasDescription?: components["parameters"]["HasDescriptionFilter"];
                /** @description Likewise for tags. */
                hasTags?: components["parameters"]["HasTagsFilter"];
                /** @description Likewise for a twin in name, spaces and punctuation aside. */
                hasDuplicates?: components["parameters"]["HasDuplicatesFilter"];
                /** @description Only products of this brand, in any case. */
                brand?: components["parameters"]["BrandFilter"];
                /** @description Only products changed since this UTC date or time. */
                updatedSince?: components["parameters"]["UpdatedSinceFilter"];
                /** @description Only the product with this SKU, in any case. */
                sku?: components["parameters"]["SkuFilter"];
                /** @description Only these products. Repeat it, or separate them by commas. */
                ids?: components["parameters"]["IdsFilter"];
                /** @description A hyphen means descending. By default the newest come first, with a search the best matches. */
                sort?: components["parameters"]["ProductSort"];
                /** @description summary is short. It clips long texts to 200 characters, with a mark. */
                view?: components["parameters"]["View"];
                /** @description Only these fields of products, and the id. Not with view=summary. Repeat it, or separate them by commas. */
                fields?: components["parameters"]["ProductFields"];
            };
            header?: {
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of products. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_product: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe. The same key with the same body gets the stored answer for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProductCreate"];
            };
        };
        responses: {
            /** @description The new product. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Product"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    export_products: {
        parameters: {
            query?: {
                /** @description A line of cells for each product, or a line with a JSON object. */
                format?: components["parameters"]["ExportFormat"];
                /** @description In any case and script. % and _ stand for themselves. */
                search?: components["parameters"]["Search"];
                /** @description Only these statuses. Repeat it, or separate them by commas. */
                status?: components["parameters"]["ProductStatusFilter"];
                /** @description IN has stock, OUT has none. */
                stock?: components["parameters"]["StockFilter"];
                /** @description Only products with this tag. */
                tagId?: components["parameters"]["TagFilter"];
                /** @description Only products of this collection. */
                collectionId?: components["parameters"]["CollectionFilter"];
                /** @description Only products with an image, or without. */
                hasImages?: components["parameters"]["HasImagesFilter"];
                /** @description Likewise for descriptions. */
                hasDescription?: components["parameters"]["HasDescriptionFilter"];
                /** @description Likewise for tags. */
                hasTags?: components["parameters"]["HasTagsFilter"];
                /** @description Likewise for a twin in name, spaces and punctuation aside. */
                hasDuplicates?: components["parameters"]["HasDuplicatesFilter"];
                /** @description Only products of this brand, in any case. */
                brand?: components["parameters"]["BrandFilter"];
                /** @description Only products changed since this UTC date or time. */
                updatedSince?: components["parameters"]["UpdatedSinceFilter"];
                /** @description Only the product with this SKU, in any case. */
                sku?: components["parameters"]["SkuFilter"];
                /** @description Only these products. Repeat it, or separate them by commas. */
                ids?: components["parameters"]["IdsFilter"];
            };
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, sent as it is read. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    write_products: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe. The same key with the same body gets the stored answer for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProductBatch"];
            };
        };
        responses: {
            /** @description What became of each row. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductBatchResult"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_product: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_products.
                 * @example prod_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfProduct"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The product. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Product"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_product: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the representation this write is based on. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_products.
                 * @example prod_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfProduct"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProductUpdate"];
            };
        };
        responses: {
            /** @description The product as it now stands. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Product"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    delete_product: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the representation this write is based on. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_products.
                 * @example prod_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfProduct"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The product is gone. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    patch_product: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the representation this write is based on. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_products.
                 * @example prod_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfProduct"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProductPatch"];
            };
        };
        responses: {
            /** @description The product as it now stands. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Product"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    add_product_tag: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe. The same key with the same body gets the stored answer for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The ETag of the representation this write is based on. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_products.
                 * @example prod_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfProduct"];
                /**
                 * @description A tag of the workspace.
                 * @example tag_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                tagId: components["parameters"]["TagId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The product as it now stands. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Product"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    remove_product_tag: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the representation this write is based on. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_products.
                 * @example prod_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfProduct"];
                /**
                 * @description A tag of the workspace.
                 * @example tag_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                tagId: components["parameters"]["TagId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The product as it now stands. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Product"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_collections: {
        parameters: {
            query?: {
                /** @description From 1. Beyond the last page the list is empty. */
                page?: components["parameters"]["Page"];
                /** @description Rows on a page. */
                pageSize?: components["parameters"]["PageSize"];
                /** @description In any case and script. % and _ stand for themselves. */
                search?: components["parameters"]["Search"];
                /** @description summary is short. It clips long texts to 200 characters, with a mark. */
                view?: components["parameters"]["View"];
            };
            header?: {
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of collections. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectionList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_collection: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe. The same key with the same body gets the stored answer for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CollectionCreate"];
            };
        };
        responses: {
            /** @description The new collection. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Collection"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_collection: {
        parameters: {
            query?: {
                /** @description summary is short. It clips long texts to 200 characters, with a mark. */
                view?: components["parameters"]["View"];
            };
            header?: {
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_collections.
                 * @example coll_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfCollection"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The collection. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Collection"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_collection: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the representation this write is based on. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_collections.
                 * @example coll_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfCollection"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CollectionUpdate"];
            };
        };
        responses: {
            /** @description The collection as it now stands. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Collection"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    delete_collection: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the representation this write is based on. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_collections.
                 * @example coll_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfCollection"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The collection is gone. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    patch_collection: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the representation this write is based on. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_collections.
                 * @example coll_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfCollection"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CollectionPatch"];
            };
        };
        responses: {
            /** @description The collection as it now stands. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Collection"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_collection_products: {
        parameters: {
            query?: {
                /** @description From 1. Beyond the last page the list is empty. */
                page?: components["parameters"]["Page"];
                /** @description Rows on a page. */
                pageSize?: components["parameters"]["PageSize"];
                /** @description In any case and script. % and _ stand for themselves. */
                search?: components["parameters"]["Search"];
                /** @description summary is short. It clips long texts to 200 characters, with a mark. */
                view?: components["parameters"]["View"];
            };
            header?: {
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_collections.
                 * @example coll_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfCollection"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of products. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectionProductList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    set_collection_products: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the representation this write is based on. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_collections.
                 * @example coll_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfCollection"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CollectionProducts"];
            };
        };
        responses: {
            /** @description The collection as it now stands. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Collection"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    add_collection_product: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe. The same key with the same body gets the stored answer for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The ETag of the representation this write is based on. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_collections.
                 * @example coll_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfCollection"];
                /**
                 * @description A product of the workspace.
                 * @example prod_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                productId: components["parameters"]["ProductId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The collection as it now stands. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Collection"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    remove_collection_product: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the representation this write is based on. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_collections.
                 * @example coll_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfCollection"];
                /**
                 * @description A product of the workspace.
                 * @example prod_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                productId: components["parameters"]["ProductId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The collection as it now stands. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Collection"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    add_collection_tag: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe. The same key with the same body gets the stored answer for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The ETag of the representation this write is based on. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_collections.
                 * @example coll_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfCollection"];
                /**
                 * @description A tag of the workspace.
                 * @example tag_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                tagId: components["parameters"]["TagId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The collection as it now stands. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Collection"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    remove_collection_tag: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the representation this write is based on. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_collections.
                 * @example coll_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfCollection"];
                /**
                 * @description A tag of the workspace.
                 * @example tag_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                tagId: components["parameters"]["TagId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The collection as it now stands. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Collection"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_tags: {
        parameters: {
            query?: {
                /** @description From 1. Beyond the last page the list is empty. */
                page?: components["parameters"]["Page"];
                /** @description Rows on a page. */
                pageSize?: components["parameters"]["PageSize"];
                /** @description In any case and script. % and _ stand for themselves. */
                search?: components["parameters"]["Search"];
            };
            header?: {
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of tags. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TagList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_tag: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe. The same key with the same body gets the stored answer for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TagWrite"];
            };
        };
        responses: {
            /** @description The new tag. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tag"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_tag: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_tags.
                 * @example tag_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfTag"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tag. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tag"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_tag: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the representation this write is based on. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_tags.
                 * @example tag_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfTag"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TagWrite"];
            };
        };
        responses: {
            /** @description The tag as it now stands. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tag"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    delete_tag: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the representation this write is based on. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_tags.
                 * @example tag_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfTag"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tag is gone. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_product_questions: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_products.
                 * @example prod_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfProduct"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The questions. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductQuestionSet"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_product_questions: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the representation this write is based on. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_products.
                 * @example prod_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfProduct"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProductQuestionsUpdate"];
            };
        };
        responses: {
            /** @description The questions as they now stand. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductQuestionSet"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    reset_product_questions: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the representation this write is based on. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_products.
                 * @example prod_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfProduct"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The questions as they now stand. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductQuestionSet"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_question_library: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The library. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuestionLibrary"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_question_library: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the representation this write is based on. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QuestionLibraryUpdate"];
            };
        };
        responses: {
            /** @description The library as it now stands. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuestionLibrary"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_unanswered_questions: {
        parameters: {
            query?: {
                /** @description From 1. Beyond the last page the list is empty. */
                page?: components["parameters"]["Page"];
                /** @description Rows on a page. */
                pageSize?: components["parameters"]["PageSize"];
                /** @description Only questions that were asked on this UTC date or later. */
                from?: components["parameters"]["AskedFrom"];
            };
            header?: {
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the questions. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnansweredQuestionList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    answer_question: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe. The same key with the same body gets the stored answer for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_unanswered_questions.
                 * @example qst_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfQuestion"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QuestionAnswer"];
            };
        };
        responses: {
            /** @description The question is off the list. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    dismiss_question: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_unanswered_questions.
                 * @example qst_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfQuestion"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The question is off the list. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_question_replies: {
        parameters: {
            query?: {
                /** @description From 1. Beyond the last page the list is empty. */
                page?: components["parameters"]["Page"];
                /** @description Rows on a page. */
                pageSize?: components["parameters"]["PageSize"];
            };
            header?: {
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the replies. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuestionReplyList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_question_reply: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the representation this write is based on. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_question_replies.
                 * @example qst_01k9x5wd8ceq9s2m4h0v3t7b2r
                 */
                id: components["parameters"]["IdOfReply"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QuestionReplyUpdate"];
            };
        };
        responses: {
            /** @description The reply as it now stands. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuestionReply"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    delete_question_reply: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_question_replies.
                 * @example qst_01k9x5wd8ceq9s2m4h0v3t7b2r
                 */
                id: components["parameters"]["IdOfReply"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The reply is gone. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_shop_knowledge: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The questions with their answers, in order. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShopKnowledge"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_shop_knowledge: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the representation this write is based on. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ShopKnowledgeUpdate"];
            };
        };
        responses: {
            /** @description The entries as they now stand. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShopKnowledge"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_ai_settings: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AiSettings"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_ai_settings: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the representation this write is based on. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AiSettings"];
            };
        };
        responses: {
            /** @description The settings as they now stand. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AiSettings"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_synonyms: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The synonyms. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Synonyms"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_synonyms: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the representation this write is based on. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Synonyms"];
            };
        };
        responses: {
            /** @description The synonyms as they now stand. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Synonyms"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_media: {
        parameters: {
            query?: {
                /** @description From 1. Beyond the last page the list is empty. */
                page?: components["parameters"]["Page"];
                /** @description Rows on a page. */
                pageSize?: components["parameters"]["PageSize"];
                /** @description In any case and script. % and _ stand for themselves. */
                search?: components["parameters"]["Search"];
                /** @description How often an image is used; not at all, at least once, at least twice. */
                usage?: components["parameters"]["MediaUsage"];
            };
            header?: {
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of media. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MediaList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    upload_media: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe. The same key with the same body gets the stored answer for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MediaUpload"];
            };
        };
        responses: {
            /** @description The stored image. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Media"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    import_media: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe. The same key with the same body gets the stored answer for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MediaImport"];
            };
        };
        responses: {
            /** @description The stored image. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Media"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_media: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_media.
                 * @example med_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfMedia"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The image. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Media"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    replace_media: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the representation this write is based on. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_media.
                 * @example med_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfMedia"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MediaUpload"];
            };
        };
        responses: {
            /** @description The image as it now stands. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Media"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    delete_media: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the representation this write is based on. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_media.
                 * @example med_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfMedia"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The image is gone. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    upload_media_files: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe. The same key with the same body gets the stored answer for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["MediaFiles"];
            };
        };
        responses: {
            /** @description The stored images, in the order in which they were sent. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadedMedia"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_webhooks: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All webhooks. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookCreate"];
            };
        };
        responses: {
            /** @description The new webhook, with its secret. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    Location: components["headers"]["Location"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_webhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description The webhook's id.
                 * @example wh_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfWebhook"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_webhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the representation this write is based on. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description The webhook's id.
                 * @example wh_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfWebhook"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookUpdate"];
            };
        };
        responses: {
            /** @description The webhook as it now stands. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    delete_webhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the representation this write is based on. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description The webhook's id.
                 * @example wh_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfWebhook"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook is gone. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotate_webhook_secret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description The webhook's id.
                 * @example wh_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfWebhook"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook, with its new secret. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    test_webhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe. The same key with the same body gets the stored answer for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description The webhook's id.
                 * @example wh_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfWebhook"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery that was begun. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_webhook_deliveries: {
        parameters: {
            query?: {
                /** @description From 1. Beyond the last page the list is empty. */
                page?: components["parameters"]["Page"];
                /** @description Rows on a page. */
                pageSize?: components["parameters"]["PageSize"];
            };
            header?: {
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description The webhook's id.
                 * @example wh_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfWebhook"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of deliveries. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    resend_webhook_delivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe. The same key with the same body gets the stored answer for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description The webhook's id.
                 * @example wh_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfWebhook"];
                /**
                 * @description The delivery's id.
                 * @example msg_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                deliveryId: components["parameters"]["DeliveryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery that was begun. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_domains: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All domains. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DomainList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_domain: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe. The same key with the same body gets the stored answer for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DomainCreate"];
            };
        };
        responses: {
            /** @description The new domain, not verified yet. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Domain"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_domain: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description The domain's id.
                 * @example dom_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfDomain"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The domain. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Domain"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_domain: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the representation this write is based on. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description The domain's id.
                 * @example dom_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfDomain"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DomainUpdate"];
            };
        };
        responses: {
            /** @description The domain as it now stands. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Domain"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    delete_domain: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the representation this write is based on. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description The domain's id.
                 * @example dom_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfDomain"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The domain is gone. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    verify_domain: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe. The same key with the same body gets the stored answer for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description The domain's id.
                 * @example dom_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfDomain"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The domain, and what was found. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Domain"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_change_sets: {
        parameters: {
            query?: {
                /** @description From 1. Beyond the last page the list is empty. */
                page?: components["parameters"]["Page"];
                /** @description Rows on a page. */
                pageSize?: components["parameters"]["PageSize"];
                /** @description Only sets that wait for a person, or only others. */
                waiting?: components["parameters"]["WaitingFilter"];
            };
            header?: {
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of change sets. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeSetList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_change_set: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe. The same key with the same body gets the stored answer for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeSetCreate"];
            };
        };
        responses: {
            /** @description The plan. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeSet"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    upload_change_set_file: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe. The same key with the same body gets the stored answer for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["ChangeSetFile"];
            };
        };
        responses: {
            /** @description What the file has. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeSetUpload"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_change_set: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_change_sets.
                 * @example cs_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfChangeSet"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The change set. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeSet"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_change_set_rows: {
        parameters: {
            query?: {
                /** @description From 1. Beyond the last page the list is empty. */
                page?: components["parameters"]["Page"];
                /** @description Rows on a page. */
                pageSize?: components["parameters"]["PageSize"];
                /** @description Only rows with errors, or only those that change something. */
                only?: components["parameters"]["ChangeSetRowFilter"];
            };
            header?: {
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_change_sets.
                 * @example cs_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfChangeSet"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of rows. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeSetRowList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    plan_change_set: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe. The same key with the same body gets the stored answer for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The ETag of the representation this write is based on. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_change_sets.
                 * @example cs_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfChangeSet"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeSetStep"];
            };
        };
        responses: {
            /** @description The plan. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeSet"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    apply_change_set: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe. The same key with the same body gets the stored answer for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The ETag of the representation this write is based on. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_change_sets.
                 * @example cs_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfChangeSet"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeSetApply"];
            };
        };
        responses: {
            /** @description The change set. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeSet"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    undo_change_set: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe. The same key with the same body gets the stored answer for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The ETag of the representation this write is based on. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_change_sets.
                 * @example cs_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfChangeSet"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeSetStep"];
            };
        };
        responses: {
            /** @description The change set. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeSet"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancel_change_set: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe. The same key with the same body gets the stored answer for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The ETag of the representation this write is based on. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_change_sets.
                 * @example cs_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfChangeSet"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeSetStep"];
            };
        };
        responses: {
            /** @description The change set. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeSet"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_feedback: {
        parameters: {
            query?: {
                /** @description From 1. Beyond the last page the list is empty. */
                page?: components["parameters"]["Page"];
                /** @description Rows on a page. */
                pageSize?: components["parameters"]["PageSize"];
            };
            header?: {
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of feedback. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeedbackList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    export_feedback: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, sent as it is read. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_bootstrap: {
        parameters: {
            query?: never;
            header?: {
                /** @description The session of a customer, from verify_customer_code. With it, the headers of a guest do not count. */
                "X-Visitor-Token"?: components["parameters"]["VisitorToken"];
                /**
                 * @description Your own id of a visitor's device, 8 to 128 visible ASCII characters.
                 * @example device-0001
                 */
                "X-Guest-Device-Id"?: components["parameters"]["GuestDeviceId"];
                /** @description The guestToken that bootstrap gave this device. */
                "X-Guest-Token"?: components["parameters"]["GuestToken"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The site and its visitor. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Bootstrap"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_published_products: {
        parameters: {
            query?: {
                /** @description From 1. Beyond the last page the list is empty. */
                page?: components["parameters"]["Page"];
                /** @description Rows on a page. */
                pageSize?: components["parameters"]["PageSize"];
                /** @description In any case and script. % and _ stand for themselves. */
                search?: components["parameters"]["Search"];
                /** @description IN has stock, OUT has none. */
                stock?: components["parameters"]["StockFilter"];
                /** @description Only products with this tag. */
                tagId?: components["parameters"]["TagFilter"];
                /** @description A hyphen means descending. By default the newest come first, with a search the best matches. */
                sort?: components["parameters"]["ProductSort"];
                /** @description The catalogueVersion of bootstrap. While it is the current one, the answer may be kept for a day; with another one, or without, shared caches keep it for a minute. */
                version?: components["parameters"]["CatalogueVersion"];
            };
            header?: {
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The session of a customer, from verify_customer_code. With it, the headers of a guest do not count. */
                "X-Visitor-Token"?: components["parameters"]["VisitorToken"];
                /**
                 * @description Your own id of a visitor's device, 8 to 128 visible ASCII characters.
                 * @example device-0001
                 */
                "X-Guest-Device-Id"?: components["parameters"]["GuestDeviceId"];
                /** @description The guestToken that bootstrap gave this device. */
                "X-Guest-Token"?: components["parameters"]["GuestToken"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of published products. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_published_product: {
        parameters: {
            query?: {
                /** @description The catalogueVersion of bootstrap. While it is the current one, the answer may be kept for a day; with another one, or without, shared caches keep it for a minute. */
                version?: components["parameters"]["CatalogueVersion"];
            };
            header?: {
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The session of a customer, from verify_customer_code. With it, the headers of a guest do not count. */
                "X-Visitor-Token"?: components["parameters"]["VisitorToken"];
                /**
                 * @description Your own id of a visitor's device, 8 to 128 visible ASCII characters.
                 * @example device-0001
                 */
                "X-Guest-Device-Id"?: components["parameters"]["GuestDeviceId"];
                /** @description The guestToken that bootstrap gave this device. */
                "X-Guest-Token"?: components["parameters"]["GuestToken"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description A product of the workspace.
                 * @example prod_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                productId: components["parameters"]["ProductId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The product. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Product"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_published_product_questions: {
        parameters: {
            query?: {
                /** @description The catalogueVersion of bootstrap. While it is the current one, the answer may be kept for a day; with another one, or without, shared caches keep it for a minute. */
                version?: components["parameters"]["CatalogueVersion"];
            };
            header?: {
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The session of a customer, from verify_customer_code. With it, the headers of a guest do not count. */
                "X-Visitor-Token"?: components["parameters"]["VisitorToken"];
                /**
                 * @description Your own id of a visitor's device, 8 to 128 visible ASCII characters.
                 * @example device-0001
                 */
                "X-Guest-Device-Id"?: components["parameters"]["GuestDeviceId"];
                /** @description The guestToken that bootstrap gave this device. */
                "X-Guest-Token"?: components["parameters"]["GuestToken"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description A product of the workspace.
                 * @example prod_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                productId: components["parameters"]["ProductId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The questions, in order. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublishedQuestions"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_published_product_by_slug: {
        parameters: {
            query?: {
                /** @description The catalogueVersion of bootstrap. While it is the current one, the answer may be kept for a day; with another one, or without, shared caches keep it for a minute. */
                version?: components["parameters"]["CatalogueVersion"];
            };
            header?: {
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The session of a customer, from verify_customer_code. With it, the headers of a guest do not count. */
                "X-Visitor-Token"?: components["parameters"]["VisitorToken"];
                /**
                 * @description Your own id of a visitor's device, 8 to 128 visible ASCII characters.
                 * @example device-0001
                 */
                "X-Guest-Device-Id"?: components["parameters"]["GuestDeviceId"];
                /** @description The guestToken that bootstrap gave this device. */
                "X-Guest-Token"?: components["parameters"]["GuestToken"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description The slug of a product.
                 * @example rose-balm
                 */
                productSlug: components["parameters"]["ProductSlug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The product. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Product"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_published_collections: {
        parameters: {
            query?: {
                /** @description From 1. Beyond the last page the list is empty. */
                page?: components["parameters"]["Page"];
                /** @description Rows on a page. */
                pageSize?: components["parameters"]["PageSize"];
                /** @description In any case and script. % and _ stand for themselves. */
                search?: components["parameters"]["Search"];
                /** @description The catalogueVersion of bootstrap. While it is the current one, the answer may be kept for a day; with another one, or without, shared caches keep it for a minute. */
                version?: components["parameters"]["CatalogueVersion"];
            };
            header?: {
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The session of a customer, from verify_customer_code. With it, the headers of a guest do not count. */
                "X-Visitor-Token"?: components["parameters"]["VisitorToken"];
                /**
                 * @description Your own id of a visitor's device, 8 to 128 visible ASCII characters.
                 * @example device-0001
                 */
                "X-Guest-Device-Id"?: components["parameters"]["GuestDeviceId"];
                /** @description The guestToken that bootstrap gave this device. */
                "X-Guest-Token"?: components["parameters"]["GuestToken"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of collections. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectionList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_published_collection: {
        parameters: {
            query?: {
                /** @description The catalogueVersion of bootstrap. While it is the current one, the answer may be kept for a day; with another one, or without, shared caches keep it for a minute. */
                version?: components["parameters"]["CatalogueVersion"];
            };
            header?: {
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The session of a customer, from verify_customer_code. With it, the headers of a guest do not count. */
                "X-Visitor-Token"?: components["parameters"]["VisitorToken"];
                /**
                 * @description Your own id of a visitor's device, 8 to 128 visible ASCII characters.
                 * @example device-0001
                 */
                "X-Guest-Device-Id"?: components["parameters"]["GuestDeviceId"];
                /** @description The guestToken that bootstrap gave this device. */
                "X-Guest-Token"?: components["parameters"]["GuestToken"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description A collection of the workspace.
                 * @example coll_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                collectionId: components["parameters"]["CollectionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The collection. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Collection"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_published_collection_by_slug: {
        parameters: {
            query?: {
                /** @description The catalogueVersion of bootstrap. While it is the current one, the answer may be kept for a day; with another one, or without, shared caches keep it for a minute. */
                version?: components["parameters"]["CatalogueVersion"];
            };
            header?: {
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The session of a customer, from verify_customer_code. With it, the headers of a guest do not count. */
                "X-Visitor-Token"?: components["parameters"]["VisitorToken"];
                /**
                 * @description Your own id of a visitor's device, 8 to 128 visible ASCII characters.
                 * @example device-0001
                 */
                "X-Guest-Device-Id"?: components["parameters"]["GuestDeviceId"];
                /** @description The guestToken that bootstrap gave this device. */
                "X-Guest-Token"?: components["parameters"]["GuestToken"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description The slug of a collection.
                 * @example evening
                 */
                collectionSlug: components["parameters"]["CollectionSlug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The collection. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Collection"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_published_collection_products: {
        parameters: {
            query?: {
                /** @description From 1. Beyond the last page the list is empty. */
                page?: components["parameters"]["Page"];
                /** @description Rows on a page. */
                pageSize?: components["parameters"]["PageSize"];
                /** @description In any case and script. % and _ stand for themselves. */
                search?: components["parameters"]["Search"];
                /** @description IN has stock, OUT has none. */
                stock?: components["parameters"]["StockFilter"];
                /** @description Only products with this tag. */
                tagId?: components["parameters"]["TagFilter"];
                /** @description A hyphen means descending. By default the order of the collection. */
                sort?: components["parameters"]["CollectionProductSort"];
                /** @description The catalogueVersion of bootstrap. While it is the current one, the answer may be kept for a day; with another one, or without, shared caches keep it for a minute. */
                version?: components["parameters"]["CatalogueVersion"];
            };
            header?: {
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The session of a customer, from verify_customer_code. With it, the headers of a guest do not count. */
                "X-Visitor-Token"?: components["parameters"]["VisitorToken"];
                /**
                 * @description Your own id of a visitor's device, 8 to 128 visible ASCII characters.
                 * @example device-0001
                 */
                "X-Guest-Device-Id"?: components["parameters"]["GuestDeviceId"];
                /** @description The guestToken that bootstrap gave this device. */
                "X-Guest-Token"?: components["parameters"]["GuestToken"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description A collection of the workspace.
                 * @example coll_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                collectionId: components["parameters"]["CollectionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the collection. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_published_tags: {
        parameters: {
            query?: {
                /** @description From 1. Beyond the last page the list is empty. */
                page?: components["parameters"]["Page"];
                /** @description Rows on a page. */
                pageSize?: components["parameters"]["PageSize"];
                /** @description In any case and script. % and _ stand for themselves. */
                search?: components["parameters"]["Search"];
                /** @description The catalogueVersion of bootstrap. While it is the current one, the answer may be kept for a day; with another one, or without, shared caches keep it for a minute. */
                version?: components["parameters"]["CatalogueVersion"];
            };
            header?: {
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The session of a customer, from verify_customer_code. With it, the headers of a guest do not count. */
                "X-Visitor-Token"?: components["parameters"]["VisitorToken"];
                /**
                 * @description Your own id of a visitor's device, 8 to 128 visible ASCII characters.
                 * @example device-0001
                 */
                "X-Guest-Device-Id"?: components["parameters"]["GuestDeviceId"];
                /** @description The guestToken that bootstrap gave this device. */
                "X-Guest-Token"?: components["parameters"]["GuestToken"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of tags. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TagList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_published_tag_products: {
        parameters: {
            query?: {
                /** @description From 1. Beyond the last page the list is empty. */
                page?: components["parameters"]["Page"];
                /** @description Rows on a page. */
                pageSize?: components["parameters"]["PageSize"];
                /** @description In any case and script. % and _ stand for themselves. */
                search?: components["parameters"]["Search"];
                /** @description IN has stock, OUT has none. */
                stock?: components["parameters"]["StockFilter"];
                /** @description A hyphen means descending. By default the newest come first, with a search the best matches. */
                sort?: components["parameters"]["ProductSort"];
                /** @description The catalogueVersion of bootstrap. While it is the current one, the answer may be kept for a day; with another one, or without, shared caches keep it for a minute. */
                version?: components["parameters"]["CatalogueVersion"];
            };
            header?: {
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The session of a customer, from verify_customer_code. With it, the headers of a guest do not count. */
                "X-Visitor-Token"?: components["parameters"]["VisitorToken"];
                /**
                 * @description Your own id of a visitor's device, 8 to 128 visible ASCII characters.
                 * @example device-0001
                 */
                "X-Guest-Device-Id"?: components["parameters"]["GuestDeviceId"];
                /** @description The guestToken that bootstrap gave this device. */
                "X-Guest-Token"?: components["parameters"]["GuestToken"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description A tag of the workspace.
                 * @example tag_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                tagId: components["parameters"]["TagId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the products with this tag. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_published_tag_collections: {
        parameters: {
            query?: {
                /** @description From 1. Beyond the last page the list is empty. */
                page?: components["parameters"]["Page"];
                /** @description Rows on a page. */
                pageSize?: components["parameters"]["PageSize"];
                /** @description In any case and script. % and _ stand for themselves. */
                search?: components["parameters"]["Search"];
                /** @description The catalogueVersion of bootstrap. While it is the current one, the answer may be kept for a day; with another one, or without, shared caches keep it for a minute. */
                version?: components["parameters"]["CatalogueVersion"];
            };
            header?: {
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The session of a customer, from verify_customer_code. With it, the headers of a guest do not count. */
                "X-Visitor-Token"?: components["parameters"]["VisitorToken"];
                /**
                 * @description Your own id of a visitor's device, 8 to 128 visible ASCII characters.
                 * @example device-0001
                 */
                "X-Guest-Device-Id"?: components["parameters"]["GuestDeviceId"];
                /** @description The guestToken that bootstrap gave this device. */
                "X-Guest-Token"?: components["parameters"]["GuestToken"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description A tag of the workspace.
                 * @example tag_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                tagId: components["parameters"]["TagId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the collections with this tag. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectionList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    request_customer_code: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe. The same key with the same body gets the stored answer for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The visitor's languages, as the browser sends them; mails and descriptions are written in one of them. */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /** @description The session of a customer, from verify_customer_code. With it, the headers of a guest do not count. */
                "X-Visitor-Token"?: components["parameters"]["VisitorToken"];
                /**
                 * @description Your own id of a visitor's device, 8 to 128 visible ASCII characters.
                 * @example device-0001
                 */
                "X-Guest-Device-Id"?: components["parameters"]["GuestDeviceId"];
                /** @description The guestToken that bootstrap gave this device. */
                "X-Guest-Token"?: components["parameters"]["GuestToken"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomerCodeRequest"];
            };
        };
        responses: {
            /** @description The code is on its way. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    verify_customer_code: {
        parameters: {
            query?: never;
            header?: {
                /** @description The session of a customer, from verify_customer_code. With it, the headers of a guest do not count. */
                "X-Visitor-Token"?: components["parameters"]["VisitorToken"];
                /**
                 * @description Your own id of a visitor's device, 8 to 128 visible ASCII characters.
                 * @example device-0001
                 */
                "X-Guest-Device-Id"?: components["parameters"]["GuestDeviceId"];
                /** @description The guestToken that bootstrap gave this device. */
                "X-Guest-Token"?: components["parameters"]["GuestToken"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomerCode"];
            };
        };
        responses: {
            /** @description Signed in. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerCredential"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_customer_session: {
        parameters: {
            query?: never;
            header?: {
                /** @description The session of a customer, from verify_customer_code. With it, the headers of a guest do not count. */
                "X-Visitor-Token"?: components["parameters"]["VisitorToken"];
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerSession"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    refresh_customer_session: {
        parameters: {
            query?: never;
            header?: {
                /** @description The session of a customer, from verify_customer_code. With it, the headers of a guest do not count. */
                "X-Visitor-Token"?: components["parameters"]["VisitorToken"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Nothing"];
            };
        };
        responses: {
            /** @description The session with its new expiry. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerCredential"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    log_out_customer: {
        parameters: {
            query?: never;
            header?: {
                /** @description The session of a customer, from verify_customer_code. With it, the headers of a guest do not count. */
                "X-Visitor-Token"?: components["parameters"]["VisitorToken"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Nothing"];
            };
        };
        responses: {
            /** @description Signed out. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    delete_customer: {
        parameters: {
            query?: never;
            header?: {
                /** @description The session of a customer, from verify_customer_code. With it, the headers of a guest do not count. */
                "X-Visitor-Token"?: components["parameters"]["VisitorToken"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_customer_profile: {
        parameters: {
            query?: never;
            header?: {
                /** @description The session of a customer, from verify_customer_code. With it, the headers of a guest do not count. */
                "X-Visitor-Token"?: components["parameters"]["VisitorToken"];
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The profile. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerProfile"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_customer_profile: {
        parameters: {
            query?: never;
            header?: {
                /** @description The session of a customer, from verify_customer_code. With it, the headers of a guest do not count. */
                "X-Visitor-Token"?: components["parameters"]["VisitorToken"];
                /** @description The ETag of the representation this write is based on. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomerProfileUpdate"];
            };
        };
        responses: {
            /** @description The profile as it now stands. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerProfile"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    chat_about_product: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe. The same key with the same body gets the stored answer for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The visitor's languages, as the browser sends them; mails and descriptions are written in one of them. */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /** @description The session of a customer, from verify_customer_code. With it, the headers of a guest do not count. */
                "X-Visitor-Token"?: components["parameters"]["VisitorToken"];
                /**
                 * @description Your own id of a visitor's device, 8 to 128 visible ASCII characters.
                 * @example device-0001
                 */
                "X-Guest-Device-Id"?: components["parameters"]["GuestDeviceId"];
                /** @description The guestToken that bootstrap gave this device. */
                "X-Guest-Token"?: components["parameters"]["GuestToken"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProductChatRequest"];
            };
        };
        responses: {
            /** @description The answer, and what it cost. With Accept: text/event-stream it is the data of the last event of a stream; see the tag chat. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductChatAnswer"];
                    "text/event-stream": components["schemas"]["ProductChatAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    chat_about_routine: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe. The same key with the same body gets the stored answer for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The visitor's languages, as the browser sends them; mails and descriptions are written in one of them. */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /** @description The session of a customer, from verify_customer_code. With it, the headers of a guest do not count. */
                "X-Visitor-Token"?: components["parameters"]["VisitorToken"];
                /**
                 * @description Your own id of a visitor's device, 8 to 128 visible ASCII characters.
                 * @example device-0001
                 */
                "X-Guest-Device-Id"?: components["parameters"]["GuestDeviceId"];
                /** @description The guestToken that bootstrap gave this device. */
                "X-Guest-Token"?: components["parameters"]["GuestToken"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RoutineChatRequest"];
            };
        };
        responses: {
            /** @description The answer, and what it cost. With Accept: text/event-stream it is the data of the last event of a stream; see the tag chat. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RoutineChatAnswer"];
                    "text/event-stream": components["schemas"]["RoutineChatAnswer"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    analyze_face: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe. The same key with the same body gets the stored answer for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The visitor's languages, as the browser sends them; mails and descriptions are written in one of them. */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /** @description The session of a customer, from verify_customer_code. With it, the headers of a guest do not count. */
                "X-Visitor-Token"?: components["parameters"]["VisitorToken"];
                /**
                 * @description Your own id of a visitor's device, 8 to 128 visible ASCII characters.
                 * @example device-0001
                 */
                "X-Guest-Device-Id"?: components["parameters"]["GuestDeviceId"];
                /** @description The guestToken that bootstrap gave this device. */
                "X-Guest-Token"?: components["parameters"]["GuestToken"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FaceAnalysisRequest"];
            };
        };
        responses: {
            /** @description The answer, and what it cost. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FaceAnalysis"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_threads: {
        parameters: {
            query?: {
                /** @description From 1. Beyond the last page the list is empty. */
                page?: components["parameters"]["Page"];
                /** @description Rows on a page. */
                pageSize?: components["parameters"]["PageSize"];
            };
            header?: {
                /** @description The session of a customer, from verify_customer_code. With it, the headers of a guest do not count. */
                "X-Visitor-Token"?: components["parameters"]["VisitorToken"];
                /**
                 * @description Your own id of a visitor's device, 8 to 128 visible ASCII characters.
                 * @example device-0001
                 */
                "X-Guest-Device-Id"?: components["parameters"]["GuestDeviceId"];
                /** @description The guestToken that bootstrap gave this device. */
                "X-Guest-Token"?: components["parameters"]["GuestToken"];
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the conversations. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ThreadList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_thread: {
        parameters: {
            query?: never;
            header?: {
                /** @description The session of a customer, from verify_customer_code. With it, the headers of a guest do not count. */
                "X-Visitor-Token"?: components["parameters"]["VisitorToken"];
                /**
                 * @description Your own id of a visitor's device, 8 to 128 visible ASCII characters.
                 * @example device-0001
                 */
                "X-Guest-Device-Id"?: components["parameters"]["GuestDeviceId"];
                /** @description The guestToken that bootstrap gave this device. */
                "X-Guest-Token"?: components["parameters"]["GuestToken"];
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description A conversation, as a chat answered it.
                 * @example wst_dev_mH3wqJ8x1nZ0yT5cV7bK2sD4fG6hL9pR0aE3uI8oYzM4tQ2wXk
                 */
                threadId: components["parameters"]["ThreadId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The conversation. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Thread"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    delete_thread: {
        parameters: {
            query?: never;
            header?: {
                /** @description The session of a customer, from verify_customer_code. With it, the headers of a guest do not count. */
                "X-Visitor-Token"?: components["parameters"]["VisitorToken"];
                /**
                 * @description Your own id of a visitor's device, 8 to 128 visible ASCII characters.
                 * @example device-0001
                 */
                "X-Guest-Device-Id"?: components["parameters"]["GuestDeviceId"];
                /** @description The guestToken that bootstrap gave this device. */
                "X-Guest-Token"?: components["parameters"]["GuestToken"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description A conversation, as a chat answered it.
                 * @example wst_dev_mH3wqJ8x1nZ0yT5cV7bK2sD4fG6hL9pR0aE3uI8oYzM4tQ2wXk
                 */
                threadId: components["parameters"]["ThreadId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_feedback: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe. The same key with the same body gets the stored answer for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The session of a customer, from verify_customer_code. With it, the headers of a guest do not count. */
                "X-Visitor-Token"?: components["parameters"]["VisitorToken"];
                /**
                 * @description Your own id of a visitor's device, 8 to 128 visible ASCII characters.
                 * @example device-0001
                 */
                "X-Guest-Device-Id"?: components["parameters"]["GuestDeviceId"];
                /** @description The guestToken that bootstrap gave this device. */
                "X-Guest-Token"?: components["parameters"]["GuestToken"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FeedbackCreate"];
            };
        };
        responses: {
            /** @description Stored. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    record_event: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe. The same key with the same body gets the stored answer for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The session of a customer, from verify_customer_code. With it, the headers of a guest do not count. */
                "X-Visitor-Token"?: components["parameters"]["VisitorToken"];
                /**
                 * @description Your own id of a visitor's device, 8 to 128 visible ASCII characters.
                 * @example device-0001
                 */
                "X-Guest-Device-Id"?: components["parameters"]["GuestDeviceId"];
                /** @description The guestToken that bootstrap gave this device. */
                "X-Guest-Token"?: components["parameters"]["GuestToken"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VisitEvent"];
            };
        };
        responses: {
            /** @description Recorded. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_media_upload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MediaUploadCreate"];
            };
        };
        responses: {
            /** @description Where to send the bytes. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MediaUploadUrl"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    complete_media_upload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The secret at the end of a URL from create_media_upload.
                 * @example wsu_dev_example
                 */
                token: components["parameters"]["UploadToken"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "image/jpeg": components["schemas"]["ImageBytes"];
                "image/png": components["schemas"]["ImageBytes"];
                "image/webp": components["schemas"]["ImageBytes"];
                "image/gif": components["schemas"]["ImageBytes"];
                "image/avif": components["schemas"]["ImageBytes"];
            };
        };
        responses: {
            /** @description The stored image. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Media"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_wallet: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The wallet. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Wallet"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_wallet_entries: {
        parameters: {
            query?: {
                /** @description From 1. Beyond the last page the list is empty. */
                page?: components["parameters"]["Page"];
                /** @description Rows on a page. */
                pageSize?: components["parameters"]["PageSize"];
            };
            header?: {
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of entries. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletEntryList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_usage_report: {
        parameters: {
            query?: {
                /** @description By default 29 days before the last; at most 400 days. */
                from?: components["parameters"]["UsageFrom"];
                /** @description Included; by default today. */
                to?: components["parameters"]["UsageTo"];
                /** @description Whose dates. */
                days?: components["parameters"]["UsageDays"];
                /** @description Only actors of this kind. */
                actorType?: components["parameters"]["UsageActorType"];
                /** @description From 1. Beyond the last page the list is empty. */
                page?: components["parameters"]["Page"];
                /** @description Rows on a page. */
                pageSize?: components["parameters"]["PageSize"];
            };
            header?: {
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the report. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageReport"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_product_statistics: {
        parameters: {
            query?: {
                /** @description By default 29 days before the last; at most 400 days. */
                from?: components["parameters"]["UsageFrom"];
                /** @description Included; by default today. */
                to?: components["parameters"]["UsageTo"];
                /** @description Whose dates. */
                days?: components["parameters"]["UsageDays"];
                /** @description From 1. Beyond the last page the list is empty. */
                page?: components["parameters"]["Page"];
                /** @description Rows on a page. */
                pageSize?: components["parameters"]["PageSize"];
            };
            header?: {
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of products. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductStatistics"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_usage_events: {
        parameters: {
            query?: {
                /** @description By default 29 days before the last; at most 400 days. */
                from?: components["parameters"]["UsageFrom"];
                /** @description Included; by default today. */
                to?: components["parameters"]["UsageTo"];
                /** @description Only actors of this kind. */
                actorType?: components["parameters"]["UsageActorType"];
                /** @description Only events of this name. */
                eventName?: components["parameters"]["EventNameFilter"];
                /** @description From 1. Beyond the last page the list is empty. */
                page?: components["parameters"]["Page"];
                /** @description Rows on a page. */
                pageSize?: components["parameters"]["PageSize"];
            };
            header?: {
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of events. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageEventList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    export_wallet_entries: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, sent as it is read. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    export_usage_events: {
        parameters: {
            query?: {
                /** @description By default 29 days before the last; at most 400 days. */
                from?: components["parameters"]["UsageFrom"];
                /** @description Included; by default today. */
                to?: components["parameters"]["UsageTo"];
                /** @description Whose dates. */
                days?: components["parameters"]["UsageDays"];
                /** @description Only actors of this kind. */
                actorType?: components["parameters"]["UsageActorType"];
                /** @description Only events of this name. */
                eventName?: components["parameters"]["EventNameFilter"];
            };
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, sent as it is read. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_activity: {
        parameters: {
            query?: {
                /** @description The first UTC date. */
                from?: components["parameters"]["ActivityFrom"];
                /** @description The last UTC date, included. */
                to?: components["parameters"]["ActivityTo"];
                /** @description Only actors of this kind. */
                actorType?: components["parameters"]["UsageActorType"];
                /** @description Only writes by this one, such as delete_product. */
                operation?: components["parameters"]["ActivityOperation"];
                /** @description Only writes to this product. */
                productId?: components["parameters"]["ActivityProduct"];
                /** @description Only writes to resources of this kind. */
                topic?: components["parameters"]["ActivityTopicFilter"];
                /** @description Only writes to this resource. */
                resourceId?: components["parameters"]["ActivityResourceFilter"];
                /** @description Counts, in `groups`. They come the largest first, `activities` is empty, and the pages are those of the groups. */
                groupBy?: components["parameters"]["ActivityGrouping"];
                /** @description In a summary texts are cut at 80 characters, in full at 300. */
                view?: components["parameters"]["ActivityView"];
                /** @description From 1. Beyond the last page the list is empty. */
                page?: components["parameters"]["Page"];
                /** @description Rows on a page. */
                pageSize?: components["parameters"]["PageSize"];
            };
            header?: {
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of writes, or of groups of them. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActivityList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_config: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The configuration. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DashboardConfig"];
                };
            };
            400: components["responses"]["InvalidInput"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    request_session_code: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailAddress"];
            };
        };
        responses: {
            /** @description The code is on its way. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: components["responses"]["InvalidInput"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_session: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_session: {
        parameters: {
            query?: never;
            header?: {
                /** @description The visitor's languages, as the browser sends them; mails and descriptions are written in one of them. */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailCode"];
            };
        };
        responses: {
            /** @description Signed in; the session cookie is set. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    delete_session: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed out. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_own_account: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_own_account: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountUpdate"];
            };
        };
        responses: {
            /** @description The account as it now stands. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    request_account_email_code: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailAddress"];
            };
        };
        responses: {
            /** @description The code is on its way. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_account_email: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailCode"];
            };
        };
        responses: {
            /** @description The account with its new address. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    undo_account_email: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailUndo"];
            };
        };
        responses: {
            /** @description The address that the account has again. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailAddress"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_keys: {
        parameters: {
            query?: {
                /** @description From 1. Beyond the last page the list is empty. */
                page?: components["parameters"]["Page"];
                /** @description Rows on a page. */
                pageSize?: components["parameters"]["PageSize"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the account's keys. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyList"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_key: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeyCreate"];
            };
        };
        responses: {
            /** @description The key with its secret, shown once. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedKey"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    start_trial: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TrialStart"];
            };
        };
        responses: {
            /** @description The key with its secret, shown once. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trial"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    revoke_key: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_keys.
                 * @example key_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfKey"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key is revoked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_publishable_keys: {
        parameters: {
            query?: {
                /** @description From 1. Beyond the last page the list is empty. */
                page?: components["parameters"]["Page"];
                /** @description Rows on a page. */
                pageSize?: components["parameters"]["PageSize"];
            };
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the workspace's publishable keys. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublishableKeyList"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_publishable_key: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PublishableKeyCreate"];
            };
        };
        responses: {
            /** @description The key. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublishableKey"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    revoke_publishable_key: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_publishable_keys.
                 * @example pk_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfPublishableKey"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key is revoked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_connections: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every connection of the account. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionList"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    revoke_connection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_connections.
                 * @example grant_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfConnection"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The connection is revoked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_consent_request: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The consent request, from the address of the consent page.
                 * @example Zk3q2-7wAbCdEfGhIjKlMnOpQrStUvWxYz0123456789
                 */
                requestId: components["parameters"]["RequestId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The open request. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsentRequest"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    decide_consent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The consent request, from the address of the consent page.
                 * @example Zk3q2-7wAbCdEfGhIjKlMnOpQrStUvWxYz0123456789
                 */
                requestId: components["parameters"]["RequestId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConsentDecision"];
            };
        };
        responses: {
            /** @description Where the browser goes on. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsentOutcome"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_contact_request: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactMessage"];
            };
        };
        responses: {
            /** @description The message has arrived. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: components["responses"]["InvalidInput"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_sessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every live session. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionList"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    end_other_sessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The other sessions have ended. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndedSessions"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_invitations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every open invitation. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationList"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    accept_invitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_invitations.
                 * @example mem_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfInvitation"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The membership. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    decline_invitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_invitations.
                 * @example mem_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfInvitation"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invitation is gone. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    restore_product: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_products.
                 * @example prod_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfProduct"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProductRestore"];
            };
        };
        responses: {
            /** @description The product. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Product"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_kept_answers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_products.
                 * @example prod_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfProduct"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answers. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeptAnswers"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    make_kept_answers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_products.
                 * @example prod_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfProduct"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeptAnswersMake"];
            };
        };
        responses: {
            /** @description The answers. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeptAnswers"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    delete_kept_answers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_products.
                 * @example prod_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfProduct"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answers. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeptAnswers"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_former_values: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_products.
                 * @example prod_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfProduct"];
                /**
                 * @description The id of the write.
                 * @example evt_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                activityId: components["parameters"]["ActivityId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The former values. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FormerValues"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_members: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every member. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberList"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    add_member: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemberCreate"];
            };
        };
        responses: {
            /** @description The invitation. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_member: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_members.
                 * @example mem_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfMember"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemberUpdate"];
            };
        };
        responses: {
            /** @description The member as it now stands. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    remove_member: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_members.
                 * @example mem_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfMember"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The member is removed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    resend_invitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_members.
                 * @example mem_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfMember"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invitation was mailed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_usage_by_day: {
        parameters: {
            query?: {
                /** @description By default 29 days before the last; at most 400 days. */
                from?: components["parameters"]["UsageFrom"];
                /** @description Included; by default today. */
                to?: components["parameters"]["UsageTo"];
                /** @description Whose dates. */
                days?: components["parameters"]["UsageDays"];
                /** @description What is counted apart. */
                by?: "ACTOR" | "EVENT";
            };
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The days, oldest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageByDay"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_insights: {
        parameters: {
            query?: {
                /** @description By default 29 days before the last; at most 400 days. */
                from?: components["parameters"]["UsageFrom"];
                /** @description Included; by default today. */
                to?: components["parameters"]["UsageTo"];
                /** @description Whose dates. */
                days?: components["parameters"]["UsageDays"];
            };
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figures of both periods. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Insights"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_site_figures: {
        parameters: {
            query?: {
                /** @description By default 29 days before the last; at most 400 days. */
                from?: components["parameters"]["UsageFrom"];
                /** @description Included; by default today. */
                to?: components["parameters"]["UsageTo"];
                /** @description Whose dates. */
                days?: components["parameters"]["UsageDays"];
            };
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figures of these days. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SiteFigures"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_top_questions: {
        parameters: {
            query?: {
                /** @description By default 29 days before the last; at most 400 days. */
                from?: components["parameters"]["UsageFrom"];
                /** @description Included; by default today. */
                to?: components["parameters"]["UsageTo"];
                /** @description Whose dates. */
                days?: components["parameters"]["UsageDays"];
            };
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The questions of these days. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TopQuestions"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_digest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How often. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Digest"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_digest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Digest"];
            };
        };
        responses: {
            /** @description How often. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Digest"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_agent_changes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The setting. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentChanges"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_agent_changes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentChanges"];
            };
        };
        responses: {
            /** @description The setting. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentChanges"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_time_zone: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ShopTimeZone"];
            };
        };
        responses: {
            /** @description The time zone. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShopTimeZone"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_media_uses: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description From list_media.
                 * @example med_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfMedia"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Where it is used. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MediaUses"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_receipts: {
        parameters: {
            query?: {
                /** @description From 1. Beyond the last page the list is empty. */
                page?: components["parameters"]["Page"];
                /** @description Rows on a page. */
                pageSize?: components["parameters"]["PageSize"];
            };
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of receipts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptList"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    preview_website: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebsiteUpdate"];
            };
        };
        responses: {
            /** @description The signed draft. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebsitePreview"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_balance_alert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The alert. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BalanceAlert"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_balance_alert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BalanceAlert"];
            };
        };
        responses: {
            /** @description The alert. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BalanceAlert"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_site_budget: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The budget. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SiteBudget"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_site_budget: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SiteBudget"];
            };
        };
        responses: {
            /** @description The budget. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SiteBudget"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_packs: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every pack. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PackList"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_checkout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CheckoutCreate"];
            };
        };
        responses: {
            /** @description The checkout. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedCheckout"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    pay_development_checkout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The checkout, from create_checkout.
                 * @example chk_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfCheckout"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The checkout as it now stands. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Checkout"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    refund_development_checkout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The checkout, from create_checkout.
                 * @example chk_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfCheckout"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CheckoutRefund"];
            };
        };
        responses: {
            /** @description The checkout as it now stands. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Checkout"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    request_billing_email_code: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailAddress"];
            };
        };
        responses: {
            /** @description The code is on its way. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    request_staff_code: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailAddress"];
            };
        };
        responses: {
            /** @description The code is on its way, if the address is on the staff. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: components["responses"]["InvalidInput"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_staff_session: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffSession"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_staff_session: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailCode"];
            };
        };
        responses: {
            /** @description Signed in; the staff cookie is set. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffSession"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    delete_staff_session: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed out. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_accounts: {
        parameters: {
            query?: {
                /** @description From 1. Beyond the last page the list is empty. */
                page?: components["parameters"]["Page"];
                /** @description Rows on a page. */
                pageSize?: components["parameters"]["PageSize"];
                /** @description In any case and script. % and _ stand for themselves. */
                search?: components["parameters"]["Search"];
                /** @description Only those with this status. */
                status?: components["parameters"]["StandingFilter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of accounts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminAccountList"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_admin_account: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_accounts.
                 * @example acc_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfAccount"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What is known of it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminAccountDetail"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_account_limit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_accounts.
                 * @example acc_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfAccount"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkspaceLimit"];
            };
        };
        responses: {
            /** @description The account with its new limit. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminAccount"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_account_status: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_accounts.
                 * @example acc_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfAccount"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StandingUpdate"];
            };
        };
        responses: {
            /** @description The account with its new status. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminAccount"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_all_workspaces: {
        parameters: {
            query?: {
                /** @description From 1. Beyond the last page the list is empty. */
                page?: components["parameters"]["Page"];
                /** @description Rows on a page. */
                pageSize?: components["parameters"]["PageSize"];
                /** @description In any case and script. % and _ stand for themselves. */
                search?: components["parameters"]["Search"];
                /** @description Only those with this status. */
                status?: components["parameters"]["StandingFilter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of workspaces. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminWorkspaceList"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_admin_workspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_all_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfWorkspace"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What is known of it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminWorkspaceDetail"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_workspace_status: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_all_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfWorkspace"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StandingUpdate"];
            };
        };
        responses: {
            /** @description The workspace with its new status. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminWorkspace"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_name_approval: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_all_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfWorkspace"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NameApproval"];
            };
        };
        responses: {
            /** @description The workspace, and whether its name is approved. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminWorkspace"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_workspace_design: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the copy the client has; an unchanged one answers 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description From list_all_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfWorkspace"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The design, and the one to begin with. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceDesignDetail"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_workspace_design: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the representation this write is based on. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description From list_all_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfWorkspace"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkspaceDesign"];
            };
        };
        responses: {
            /** @description The design as it is stored. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceDesign"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    adjust_credits: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe. The same key with the same body gets the stored answer for 24 hours. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description From list_all_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfWorkspace"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreditAdjustment"];
            };
        };
        responses: {
            /** @description The entry in the ledger. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletEntry"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_sources: {
        parameters: {
            query?: {
                /** @description From 1. Beyond the last page the list is empty. */
                page?: components["parameters"]["Page"];
                /** @description Rows on a page. */
                pageSize?: components["parameters"]["PageSize"];
                /** @description In any case and script. % and _ stand for themselves. */
                search?: components["parameters"]["Search"];
                /** @description Only sources with this status. */
                status?: components["parameters"]["SourceStatusFilter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of sources. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SourceList"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_source_connections: {
        parameters: {
            query?: {
                /** @description From 1. Beyond the last page the list is empty. */
                page?: components["parameters"]["Page"];
                /** @description Rows on a page. */
                pageSize?: components["parameters"]["PageSize"];
                /** @description In any case and script. % and _ stand for themselves. */
                search?: components["parameters"]["Search"];
            };
            header?: never;
            path: {
                /**
                 * @description From list_sources.
                 * @example src_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfSource"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of connections. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SourceConnectionList"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    block_source: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_sources.
                 * @example src_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfSource"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The blocked source. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Source"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    unblock_source: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_sources.
                 * @example src_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfSource"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The approved source. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Source"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_contact_requests: {
        parameters: {
            query?: {
                /** @description From 1. Beyond the last page the list is empty. */
                page?: components["parameters"]["Page"];
                /** @description Rows on a page. */
                pageSize?: components["parameters"]["PageSize"];
                /** @description In any case and script. % and _ stand for themselves. */
                search?: components["parameters"]["Search"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of contact requests. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactRequestList"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    mark_contact_request_read: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From list_contact_requests.
                 * @example ctc_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["IdOfContactRequest"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactRequest"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_audit_entries: {
        parameters: {
            query?: {
                /** @description From 1. Beyond the last page the list is empty. */
                page?: components["parameters"]["Page"];
                /** @description Rows on a page. */
                pageSize?: components["parameters"]["PageSize"];
                /** @description In any case and script. % and _ stand for themselves. */
                search?: components["parameters"]["Search"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of audit entries. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEntryList"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
}
/** Query parameters with a default, by operation: the validator fills them in. */
export interface queryDefaults {
    accept_invitation: never;
    add_collection_product: never;
    add_collection_tag: never;
    add_member: never;
    add_product_tag: never;
    adjust_credits: never;
    analyze_face: never;
    answer_question: never;
    apply_change_set: never;
    block_source: never;
    cancel_change_set: never;
    chat_about_product: never;
    chat_about_routine: never;
    complete_media_upload: never;
    create_change_set: never;
    create_checkout: never;
    create_collection: never;
    create_contact_request: never;
    create_domain: never;
    create_feedback: never;
    create_key: never;
    create_media_upload: never;
    create_product: never;
    create_publishable_key: never;
    create_session: never;
    create_staff_session: never;
    create_tag: never;
    create_webhook: never;
    create_workspace: never;
    decide_consent: never;
    decline_invitation: never;
    delete_collection: never;
    delete_customer: never;
    delete_domain: never;
    delete_kept_answers: never;
    delete_media: never;
    delete_product: never;
    delete_question_reply: never;
    delete_session: never;
    delete_staff_session: never;
    delete_tag: never;
    delete_thread: never;
    delete_webhook: never;
    dismiss_question: never;
    end_other_sessions: never;
    export_feedback: never;
    export_products: "format" | "search";
    export_usage_events: "days";
    export_wallet_entries: never;
    get_account: never;
    get_admin_account: never;
    get_admin_workspace: never;
    get_agent_changes: never;
    get_ai_settings: never;
    get_balance_alert: never;
    get_bootstrap: never;
    get_change_set: never;
    get_collection: "view";
    get_config: never;
    get_consent_request: never;
    get_customer_profile: never;
    get_customer_session: never;
    get_digest: never;
    get_domain: never;
    get_former_values: never;
    get_insights: "days";
    get_kept_answers: never;
    get_media: never;
    get_media_uses: never;
    get_own_account: never;
    get_product: never;
    get_product_questions: never;
    get_product_statistics: "days" | "page" | "pageSize";
    get_published_collection: never;
    get_published_collection_by_slug: never;
    get_published_product: never;
    get_published_product_by_slug: never;
    get_question_library: never;
    get_session: never;
    get_shop_knowledge: never;
    get_site_budget: never;
    get_site_figures: "days";
    get_staff_session: never;
    get_synonyms: never;
    get_tag: never;
    get_thread: never;
    get_usage_by_day: "days" | "by";
    get_usage_report: "days" | "page" | "pageSize";
    get_wallet: never;
    get_webhook: never;
    get_website: never;
    get_workspace: never;
    get_workspace_design: never;
    import_media: never;
    list_accounts: "page" | "pageSize" | "search";
    list_activity: "view" | "page" | "pageSize";
    list_all_workspaces: "page" | "pageSize" | "search";
    list_audit_entries: "page" | "pageSize" | "search";
    list_change_set_rows: "page" | "pageSize";
    list_change_sets: "page" | "pageSize";
    list_changes: "limit";
    list_collection_products: "page" | "pageSize" | "search" | "view";
    list_collections: "page" | "pageSize" | "search" | "view";
    list_connections: never;
    list_contact_requests: "page" | "pageSize" | "search";
    list_domains: never;
    list_feedback: "page" | "pageSize";
    list_invitations: never;
    list_keys: "page" | "pageSize";
    list_media: "page" | "pageSize" | "search";
    list_members: never;
    list_packs: never;
    list_products: "page" | "pageSize" | "search" | "view";
    list_publishable_keys: "page" | "pageSize";
    list_published_collection_products: "page" | "pageSize" | "search";
    list_published_collections: "page" | "pageSize" | "search";
    list_published_product_questions: never;
    list_published_products: "page" | "pageSize" | "search";
    list_published_tag_collections: "page" | "pageSize" | "search";
    list_published_tag_products: "page" | "pageSize" | "search";
    list_published_tags: "page" | "pageSize" | "search";
    list_question_replies: "page" | "pageSize";
    list_receipts: "page" | "pageSize";
    list_sessions: never;
    list_source_connections: "page" | "pageSize" | "search";
    list_sources: "page" | "pageSize" | "search";
    list_tags: "page" | "pageSize" | "search";
    list_templates: never;
    list_threads: "page" | "pageSize";
    list_top_questions: "days";
    list_unanswered_questions: "page" | "pageSize";
    list_usage_events: "page" | "pageSize";
    list_wallet_entries: "page" | "pageSize";
    list_webhook_deliveries: "page" | "pageSize";
    list_webhooks: never;
    list_workspaces: "page" | "pageSize";
    log_out_customer: never;
    make_kept_answers: never;
    mark_contact_request_read: never;
    patch_collection: never;
    patch_product: never;
    pay_development_checkout: never;
    plan_change_set: never;
    preview_website: never;
    record_event: never;
    refresh_customer_session: never;
    refund_development_checkout: never;
    remove_collection_product: never;
    remove_collection_tag: never;
    remove_member: never;
    remove_product_tag: never;
    replace_media: never;
    request_account_email_code: never;
    request_billing_email_code: never;
    request_customer_code: never;
    request_session_code: never;
    request_staff_code: never;
    resend_invitation: never;
    resend_webhook_delivery: never;
    reset_product_questions: never;
    restore_product: never;
    revoke_connection: never;
    revoke_key: never;
    revoke_publishable_key: never;
    rotate_webhook_secret: never;
    search_catalogue: "search" | "limit";
    set_collection_products: never;
    start_trial: never;
    test_webhook: never;
    unblock_source: never;
    undo_account_email: never;
    undo_change_set: never;
    update_account_email: never;
    update_account_limit: never;
    update_account_status: never;
    update_agent_changes: never;
    update_ai_settings: never;
    update_balance_alert: never;
    update_collection: never;
    update_customer_profile: never;
    update_digest: never;
    update_domain: never;
    update_member: never;
    update_name_approval: never;
    update_own_account: never;
    update_product: never;
    update_product_questions: never;
    update_question_library: never;
    update_question_reply: never;
    update_shop_knowledge: never;
    update_site_budget: never;
    update_synonyms: never;
    update_tag: never;
    update_time_zone: never;
    update_webhook: never;
    update_website: never;
    update_workspace: never;
    update_workspace_design: never;
    update_workspace_status: never;
    upload_change_set_file: never;
    upload_media: never;
    upload_media_files: never;
    verify_customer_code: never;
    verify_domain: never;
    write_products: never;
}
