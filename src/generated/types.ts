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
         * @description Creates a workspace owned by the account, with its subdomain and template. A phone number is required for the customized template. Refused with 400 when the limit is reached or the subdomain is reserved, taken or held.
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
         * @description The templates a workspace can be created with or switched to, and whether a template asks for a phone number. Use a key from this list as templateKey.
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
                 * @description The workspace, from list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /**
         * Get the workspace profile
         * @description The workspace's profile, business contact information and agent instructions. Its ETag can be sent back as If-Match with an update.
         */
        get: operations["get_workspace"];
        /**
         * Update the workspace profile
         * @description Changes the fields that are given and keeps the others; all of them apply or none. A new billingEmail needs the billingEmailCode that the dashboard sent to it. The subdomain can change once in 30 days.
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
                 * @description The workspace, from list_workspaces.
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
         * @description Changes the fields that are given and keeps the others, inside theme, seo and accessPolicy too; all of them apply or none. socialLinks is replaced as a whole.
         */
        put: operations["update_website"];
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
         * @description Mails a six-digit code, valid for ten minutes and usable once. The answer is the same whether or not the address has an account; a new code can be asked for after 60 seconds.
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
         * @description Exchanges the mailed code for a session cookie that lasts 30 days and slides while it is used. The first sign-in of an address creates its account. The fifth wrong code makes the code unusable.
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
         * @description Moves the account to the new address when the code that was mailed to it is right. A wrong code is refused at its field.
         */
        put: operations["update_account_email"];
        post?: never;
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
         * @description The account's keys, newest first, expired and revoked ones included; never a key itself, only the prefix it begins with.
         */
        get: operations["list_keys"];
        put?: never;
        /**
         * Create an API key
         * @description Creates a key with explicit scopes and an expiry of 1 to 365 days. The secret is in this answer and nowhere else: it is stored as a hash and cannot be shown again.
         */
        post: operations["create_key"];
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
                 * @description The id of the resource.
                 * @example key_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["Id"];
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
                 * @description The id of the resource.
                 * @example key_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["Id"];
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
                 * @description The id of the resource.
                 * @example key_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["Id"];
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
    "/api/workspaces/{workspaceId}/members": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The workspace, from list_workspaces.
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
                 * @description The workspace, from list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description The id of the resource.
                 * @example key_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["Id"];
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
    "/api/workspaces/{workspaceId}/billing-email/code": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The workspace, from list_workspaces.
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
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Id: string;
        /** Format: date-time */
        Time: string;
        /** Format: email */
        Email: string;
        /** @description A phone number in E.164 form. */
        Phone: string;
        /** @description 3 to 32 lower-case letters, digits and hyphens, no hyphen at either end. */
        SubDomain: string;
        /** @description A BCP 47 language tag. */
        Language: string;
        /** @description No control characters. */
        PersonName: string;
        /** @description No control characters. */
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
         * @description What went wrong, for programs. The list is closed.
         *     - `invalid_input` (400): A field is missing, unknown or out of its bounds.
         *     - `missing_workspace` (400): A flat URL names no workspace.
         *     - `subdomain_unavailable` (400): The subdomain is reserved, taken or held.
         *     - `subdomain_cooldown` (400): The subdomain has changed within the last 30 days.
         *     - `workspace_limit_reached` (400): The account owns as many workspaces as it may.
         *     - `unknown_template` (400): There is no template with this key.
         *     - `no_face` (400): The image shows no face.
         *     - `unauthenticated` (401): The credential is missing, malformed or of another kind.
         *     - `token_expired` (401): The credential has expired.
         *     - `token_revoked` (401): The credential was revoked.
         *     - `wrong_environment` (401): The credential belongs to the other environment.
         *     - `code_invalid` (401): The code is wrong, expired, used or unusable.
         *     - `sign_in_required` (401): The site shows its catalogue to customers who are signed in.
         *     - `visitor_required` (401): The call needs a guest or a customer.
         *     - `insufficient_credits` (402): The wallet has too few credits.
         *     - `wallet_in_debt` (402): The wallet is in debt after a refund.
         *     - `insufficient_scope` (403): The key or grant lacks the scope.
         *     - `account_inactive` (403): The account is suspended.
         *     - `workspace_inactive` (403): The workspace is suspended.
         *     - `not_owner` (403): The account is not an active owner of this workspace.
         *     - `role_insufficient` (403): The member's role does not allow this.
         *     - `source_blocked` (403): The integration was blocked by an administrator.
         *     - `access_restricted` (403): The site is not open to visitors.
         *     - `challenge_required` (403): The bot challenge must be solved first.
         *     - `challenge_failed` (403): The answer to the bot challenge is not valid.
         *     - `ai_mode_disabled` (403): The workspace has this AI mode switched off.
         *     - `origin_refused` (403): The request does not come from the site's own pages.
         *     - `not_found` (404): There is no such resource or path.
         *     - `method_not_allowed` (405): The path exists with other methods.
         *     - `duplicate` (409): Another resource has this identity.
         *     - `write_conflict` (409): The resource has changed since it was read.
         *     - `last_owner` (409): A workspace keeps at least one active owner.
         *     - `contact_pending` (409): An earlier request of this sender is still unread.
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
        ErrorCode: "invalid_input" | "missing_workspace" | "subdomain_unavailable" | "subdomain_cooldown" | "workspace_limit_reached" | "unknown_template" | "no_face" | "unauthenticated" | "token_expired" | "token_revoked" | "wrong_environment" | "code_invalid" | "sign_in_required" | "visitor_required" | "insufficient_credits" | "wallet_in_debt" | "insufficient_scope" | "account_inactive" | "workspace_inactive" | "not_owner" | "role_insufficient" | "source_blocked" | "access_restricted" | "challenge_required" | "challenge_failed" | "ai_mode_disabled" | "origin_refused" | "not_found" | "method_not_allowed" | "duplicate" | "write_conflict" | "last_owner" | "contact_pending" | "idempotency_mismatch" | "idempotency_in_progress" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "quota_exceeded" | "internal" | "unavailable";
        /** @description The one object that every refusal answers. */
        ApiError: {
            status: number;
            code: components["schemas"]["ErrorCode"];
            /** @description A sentence for people. */
            message: string;
            /** @description A sentence for each field at fault, by its path. */
            fieldErrors?: {
                [key: string]: string;
            };
        };
        Accepted: {
            /** @constant */
            accepted: true;
        };
        Deleted: {
            id: components["schemas"]["Id"];
            /** @constant */
            deleted: true;
        };
        EmailAddress: {
            email: components["schemas"]["Email"];
        };
        EmailCode: {
            email: components["schemas"]["Email"];
            code: components["schemas"]["OneTimeCode"];
        };
        Account: {
            id: components["schemas"]["Id"];
            email: components["schemas"]["Email"];
            name: string;
            phone: string | null;
            language: string;
            /** @description How many workspaces the account may own; set by an administrator. */
            workspaceLimit: number;
            createdAt: components["schemas"]["Time"];
            updatedAt: components["schemas"]["Time"];
        };
        AccountUpdate: {
            name: components["schemas"]["PersonName"];
            /** @description E.164, or null for none. */
            phone: string | null;
            language: components["schemas"]["Language"];
        };
        Workspace: {
            id: components["schemas"]["Id"];
            name: string;
            subDomain: string;
            /** @enum {string} */
            status: "ACTIVE" | "SUSPENDED";
            billingEmail: string;
            billingPhone: string | null;
            billingGsmCountryCode: string | null;
            isVisible: boolean;
            mainAgentPrompt: string;
            templateKey: string;
            createdAt: components["schemas"]["Time"];
            updatedAt: components["schemas"]["Time"];
        };
        WorkspaceCreate: {
            name: components["schemas"]["WorkspaceName"];
            subDomain: components["schemas"]["SubDomain"];
            /** @description A key from list_templates. */
            templateKey: string;
            phone?: components["schemas"]["Phone"];
        };
        WorkspaceUpdate: {
            name?: components["schemas"]["WorkspaceName"];
            subDomain?: components["schemas"]["SubDomain"];
            billingEmail?: components["schemas"]["Email"];
            billingEmailCode?: components["schemas"]["OneTimeCode"];
            /** @description E.164, or null for none. */
            billingPhone?: string | null;
            /** @description 1 to 4 digits, or null for none. */
            billingGsmCountryCode?: string | null;
            isVisible?: boolean;
            /** @description The owner's instructions to the AI agent of the site. */
            mainAgentPrompt?: string;
        };
        CreationPolicy: {
            limit: number;
            owned: number;
            canCreate: boolean;
        };
        WorkspaceList: {
            page: number;
            pageSize: number;
            creationPolicy: components["schemas"]["CreationPolicy"];
            workspaces: components["schemas"]["Workspace"][];
        };
        Template: {
            key: string;
            name: string;
            description: string;
            requiresPhone: boolean;
        };
        TemplateList: {
            templates: components["schemas"]["Template"][];
        };
        Website: {
            templateKey: string;
            theme: {
                primaryColor: string;
                accentColor: string;
                font: string;
            };
            logoImageId: string | null;
            headline: string;
            tagline: string;
            about: string;
            contactEmail: string | null;
            socialLinks: string[];
            seo: {
                title: string;
                description: string;
            };
            accessPolicy: components["schemas"]["AccessPolicy"];
            updatedAt: components["schemas"]["Time"];
        };
        AccessPolicy: {
            visibility: components["schemas"]["Visibility"];
            guestAiEnabled: boolean;
            guestDailyRequests: number;
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
        Color: string;
        WebsiteUpdate: {
            /** @description A key from list_templates. */
            templateKey?: string;
            theme?: {
                primaryColor?: components["schemas"]["Color"];
                accentColor?: components["schemas"]["Color"];
                font?: string;
            };
            /** @description An image of the workspace's media library, or null for none. */
            logoImageId?: string | null;
            headline?: string;
            tagline?: string;
            about?: string;
            /**
             * Format: email
             * @description The address shown on the site, or null for none.
             */
            contactEmail?: string | null;
            /** @description http and https addresses. */
            socialLinks?: string[];
            seo?: {
                title?: string;
                description?: string;
            };
            accessPolicy?: {
                visibility?: components["schemas"]["Visibility"];
                guestAiEnabled?: boolean;
                guestDailyRequests?: number;
                customerDailyRequests?: number;
                challenge?: components["schemas"]["ChallengePolicy"];
            };
        };
        DashboardConfig: {
            /** @enum {string} */
            environment: "development" | "production";
            /** @description Null where no bot challenge is asked for. */
            challengeSiteKey: string | null;
            oidcEnabled: boolean;
        };
        Membership: {
            workspaceId: components["schemas"]["Id"];
            workspaceName: string;
            subDomain: string;
            /** @enum {string} */
            workspaceStatus: "ACTIVE" | "SUSPENDED";
            role: components["schemas"]["Role"];
        };
        Session: {
            id: components["schemas"]["Id"];
            account: components["schemas"]["Account"];
            memberships: components["schemas"]["Membership"][];
            expiresAt: components["schemas"]["Time"];
        };
        KeyCreate: {
            /** @description No control characters. */
            name: string;
            scopes: components["schemas"]["Scope"][];
            expiresInDays: number;
        };
        Key: {
            id: components["schemas"]["Id"];
            name: string;
            scopes: components["schemas"]["Scope"][];
            /** @description How the key begins. */
            prefix: string;
            createdAt: components["schemas"]["Time"];
            expiresAt: components["schemas"]["Time"];
            /** @description To the minute; null when the key was never used. */
            lastUsedAt: string | null;
            revokedAt: string | null;
        };
        CreatedKey: {
            id: components["schemas"]["Id"];
            name: string;
            scopes: components["schemas"]["Scope"][];
            prefix: string;
            createdAt: components["schemas"]["Time"];
            expiresAt: components["schemas"]["Time"];
            lastUsedAt: string | null;
            revokedAt: string | null;
            /**
             * Format: password
             * @description The secret, shown once.
             */
            key: string;
        };
        KeyList: {
            keys: components["schemas"]["Key"][];
        };
        Member: {
            id: components["schemas"]["Id"];
            /** @description Null until the invitation is accepted. */
            accountId: string | null;
            email: string;
            name: string;
            role: components["schemas"]["Role"];
            /** @enum {string} */
            status: "ACTIVE" | "INVITED" | "SUSPENDED";
            createdAt: components["schemas"]["Time"];
        };
        MemberCreate: {
            email: components["schemas"]["Email"];
            role: components["schemas"]["Role"];
        };
        MemberUpdate: {
            role?: components["schemas"]["Role"];
            /** @enum {string} */
            status?: "ACTIVE" | "SUSPENDED";
        };
        MemberList: {
            members: components["schemas"]["Member"][];
        };
        Invitation: {
            id: components["schemas"]["Id"];
            workspaceId: components["schemas"]["Id"];
            workspaceName: string;
            role: components["schemas"]["Role"];
            createdAt: components["schemas"]["Time"];
        };
        InvitationList: {
            invitations: components["schemas"]["Invitation"][];
        };
    };
    responses: {
        /** @description The input is not valid; `fieldErrors` names each field at fault. */
        InvalidInput: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 400,
                 *       "code": "invalid_input",
                 *       "message": "The request is not valid.",
                 *       "fieldErrors": {
                 *         "name": "Must have at least 2 characters."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The credential is missing, malformed, expired, revoked or of another kind. */
        Unauthenticated: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 401,
                 *       "code": "unauthenticated",
                 *       "message": "Send a valid credential."
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The credential is valid and does not allow this call. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 403,
                 *       "code": "insufficient_scope",
                 *       "message": "This key lacks the scope workspaces:write."
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The copy the client has is still current. */
        NotModified: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description There is no such resource here. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 404,
                 *       "code": "not_found",
                 *       "message": "There is no such key."
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The write conflicts with what is stored. */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 409,
                 *       "code": "write_conflict",
                 *       "message": "The resource has changed since it was read. Read it again, then write."
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The body is larger than its limit. */
        PayloadTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 413,
                 *       "code": "payload_too_large",
                 *       "message": "The body may have at most 5242880 bytes."
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The body is not of a type this operation takes. */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 415,
                 *       "code": "unsupported_media_type",
                 *       "message": "Send the body as application/json."
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description Too many requests. */
        RateLimited: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 429,
                 *       "code": "rate_limited",
                 *       "message": "Too many requests. Wait 12 seconds."
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description An unexpected failure of the service; its details stay inside. */
        Internal: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 500,
                 *       "code": "internal",
                 *       "message": "Something went wrong on our side. The request id helps us to find it."
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The service cannot answer at the moment. */
        Unavailable: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 503,
                 *       "code": "unavailable",
                 *       "message": "The service cannot answer at the moment. Try again shortly."
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
    };
    parameters: {
        /**
         * @description The workspace, from list_workspaces.
         * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
         */
        WorkspaceId: components["schemas"]["Id"];
        /**
         * @description The id of the resource.
         * @example key_01k9x5wd8ceq9s2m4h0v3t7b1n
         */
        Id: components["schemas"]["Id"];
        /**
         * @description The page, from 1. Beyond the last page the list is empty.
         * @example 1
         */
        Page: number;
        /**
         * @description How many rows a page holds.
         * @example 20
         */
        PageSize: number;
        /**
         * @description Makes a retry safe. The same key with the same body gets the stored answer for 24 hours.
         * @example 7f0c2f3e-create-workspace
         */
        IdempotencyKey: string;
        /**
         * @description The ETag of the representation this write is based on.
         * @example "q1uLhVt7YH2mJm0bXwPzBQ"
         */
        IfMatch: string;
        /**
         * @description The ETag of the copy the client has; an unchanged one answers 304.
         * @example "q1uLhVt7YH2mJm0bXwPzBQ"
         */
        IfNoneMatch: string;
    };
    requestBodies: never;
    headers: {
        /** @description A hash of this representation. */
        ETag: string;
        /** @description What is left of the limit, and the seconds until it is whole again. */
        RateLimit: string;
        /** @description The limit and its window in seconds. */
        RateLimitPolicy: string;
        /** @description Whole seconds to wait before the next attempt. */
        RetryAfter: string;
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
                /**
                 * @description The page, from 1. Beyond the last page the list is empty.
                 * @example 1
                 */
                page?: components["parameters"]["Page"];
                /**
                 * @description How many rows a page holds.
                 * @example 20
                 */
                pageSize?: components["parameters"]["PageSize"];
            };
            header?: {
                /**
                 * @description The ETag of the copy the client has; an unchanged one answers 304.
                 * @example "q1uLhVt7YH2mJm0bXwPzBQ"
                 */
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
                /**
                 * @description Makes a retry safe. The same key with the same body gets the stored answer for 24 hours.
                 * @example 7f0c2f3e-create-workspace
                 */
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
                /**
                 * @description The ETag of the copy the client has; an unchanged one answers 304.
                 * @example "q1uLhVt7YH2mJm0bXwPzBQ"
                 */
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
                /**
                 * @description The ETag of the copy the client has; an unchanged one answers 304.
                 * @example "q1uLhVt7YH2mJm0bXwPzBQ"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The workspace, from list_workspaces.
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
                /**
                 * @description The ETag of the representation this write is based on.
                 * @example "q1uLhVt7YH2mJm0bXwPzBQ"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description The workspace, from list_workspaces.
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
                /**
                 * @description The ETag of the copy the client has; an unchanged one answers 304.
                 * @example "q1uLhVt7YH2mJm0bXwPzBQ"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The workspace, from list_workspaces.
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
                /**
                 * @description The ETag of the representation this write is based on.
                 * @example "q1uLhVt7YH2mJm0bXwPzBQ"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description The workspace, from list_workspaces.
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_session: {
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
            /** @description Signed in; the session cookie is set. */
            200: {
                headers: {
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
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
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_keys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every key of the account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyList"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
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
                 * @description The id of the resource.
                 * @example key_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key is revoked. */
            200: {
                headers: {
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationList"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
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
                 * @description The id of the resource.
                 * @example key_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The membership. */
            200: {
                headers: {
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
                 * @description The id of the resource.
                 * @example key_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invitation is gone. */
            200: {
                headers: {
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
                 * @description The workspace, from list_workspaces.
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberList"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
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
                 * @description The workspace, from list_workspaces.
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
                 * @description The workspace, from list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description The id of the resource.
                 * @example key_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["Id"];
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
                 * @description The workspace, from list_workspaces.
                 * @example ws_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                workspaceId: components["parameters"]["WorkspaceId"];
                /**
                 * @description The id of the resource.
                 * @example key_01k9x5wd8ceq9s2m4h0v3t7b1n
                 */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The member is removed. */
            200: {
                headers: {
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
                 * @description The workspace, from list_workspaces.
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
}
/** The query parameters of each operation that the validator fills when they are left out. */
export interface queryDefaults {
    accept_invitation: never;
    add_member: never;
    create_key: never;
    create_session: never;
    create_workspace: never;
    decline_invitation: never;
    delete_session: never;
    get_account: never;
    get_config: never;
    get_own_account: never;
    get_session: never;
    get_website: never;
    get_workspace: never;
    list_invitations: never;
    list_keys: never;
    list_members: never;
    list_templates: never;
    list_workspaces: "page" | "pageSize";
    remove_member: never;
    request_account_email_code: never;
    request_billing_email_code: never;
    request_session_code: never;
    revoke_key: never;
    update_account_email: never;
    update_member: never;
    update_own_account: never;
    update_website: never;
    update_workspace: never;
}
