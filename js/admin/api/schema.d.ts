// Generated from docs/openapi.json by scripts/openapi-types/generate.mjs; not written by hand.
export interface paths {
    "/api/v1/admin/integrations/outbound": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the organisation's outbound integrations, oldest first. */
        get: {
            parameters: {
                query?: {
                    /** @description From `nextCursor` of the page before. */
                    cursor?: string;
                    /** @description How many items, 1 to 200; 50 when left out. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["List_OutboundIntegration"];
                    };
                };
                400: components["responses"]["Unreadable"];
                401: components["responses"]["Unauthenticated"];
                422: components["responses"]["Invalid"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
            };
        };
        put?: never;
        /** Creates an outbound integration, which is told of what is changed from then on. */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Makes the request one that is done once, however often it is sent within 24 h: a repeat gets the first answer, without the secret that it may have shown. With another body or path the same key is refused with 422; while the first request is still running, with 409. */
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewOutboundIntegration"];
                };
            };
            responses: {
                201: {
                    headers: {
                        /** @description The resource's version, for If-Match. */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OutboundIntegration"];
                    };
                };
                400: components["responses"]["Unreadable"];
                401: components["responses"]["Unauthenticated"];
                403: components["responses"]["Forbidden"];
                404: components["responses"]["NotFound"];
                409: components["responses"]["Conflict"];
                413: components["responses"]["TooLarge"];
                415: components["responses"]["UnsupportedMediaType"];
                422: components["responses"]["Invalid"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
                507: components["responses"]["StorageFull"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/integrations/outbound/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads an outbound integration. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        /** @description The resource's version, for If-Match. */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OutboundIntegration"];
                    };
                };
                401: components["responses"]["Unauthenticated"];
                404: components["responses"]["NotFound"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
            };
        };
        /** Replaces what an outbound integration is set to. A key that is blank or left out stays; a filter that is left out is gone. */
        put: {
            parameters: {
                query?: never;
                header?: {
                    /**
                     * @description The ETag that the caller has seen: when the resource changed since, the answer is 412 and nothing happens. Left out, or *: the last writer wins.
                     * @example "17"
                     */
                    "If-Match"?: string;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewOutboundIntegration"];
                };
            };
            responses: {
                200: {
                    headers: {
                        /** @description The resource's version, for If-Match. */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OutboundIntegration"];
                    };
                };
                400: components["responses"]["Unreadable"];
                401: components["responses"]["Unauthenticated"];
                403: components["responses"]["Forbidden"];
                404: components["responses"]["NotFound"];
                409: components["responses"]["Conflict"];
                412: components["responses"]["Stale"];
                413: components["responses"]["TooLarge"];
                415: components["responses"]["UnsupportedMediaType"];
                422: components["responses"]["Invalid"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
                507: components["responses"]["StorageFull"];
            };
        };
        post?: never;
        /** Deletes an outbound integration with what waits for it. */
        delete: {
            parameters: {
                query?: never;
                header?: {
                    /**
                     * @description The ETag that the caller has seen: when the resource changed since, the answer is 412 and nothing happens. Left out, or *: the last writer wins.
                     * @example "17"
                     */
                    "If-Match"?: string;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                400: components["responses"]["Unreadable"];
                401: components["responses"]["Unauthenticated"];
                403: components["responses"]["Forbidden"];
                404: components["responses"]["NotFound"];
                409: components["responses"]["Conflict"];
                412: components["responses"]["Stale"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
                507: components["responses"]["StorageFull"];
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/integrations/outbound/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the integration's deliveries with their attempts, newest first: all that wait, and the newest 1,000 of the others. */
        get: {
            parameters: {
                query?: {
                    /** @description From `nextCursor` of the page before. */
                    cursor?: string;
                    /** @description How many items, 1 to 200; 50 when left out. */
                    limit?: number;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["List_Delivery"];
                    };
                };
                400: components["responses"]["Unreadable"];
                401: components["responses"]["Unauthenticated"];
                404: components["responses"]["NotFound"];
                422: components["responses"]["Invalid"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/integrations/outbound/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sends a synthetic flag change the way of all others, ahead of what waits, and tells what became of it, within 25 s. */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Makes the request one that is done once, however often it is sent within 24 h: a repeat gets the first answer, without the secret that it may have shown. With another body or path the same key is refused with 422; while the first request is still running, with 409. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        /** @description The resource's version, for If-Match. */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OutboundIntegration"];
                    };
                };
                401: components["responses"]["Unauthenticated"];
                403: components["responses"]["Forbidden"];
                404: components["responses"]["NotFound"];
                409: components["responses"]["Conflict"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
                507: components["responses"]["StorageFull"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the organisation's audit log, newest first. */
        get: {
            parameters: {
                query?: {
                    /** @description From `nextCursor` of the page before. */
                    cursor?: string;
                    /** @description How many items, 1 to 200; 50 when left out. */
                    limit?: number;
                    /** @description Only of this resource and of those below it, e.g. `projects/shop/features/new-checkout`. */
                    resource?: string;
                    /** @description Only of this person. */
                    userId?: string;
                    /** @description Only what changed targeting in this environment, with `resource` a feature's history there. */
                    environmentKey?: string;
                    /** @description Only from this time on. */
                    from?: components["schemas"]["Time"];
                    /** @description Only before this time. */
                    to?: components["schemas"]["Time"];
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["List_AuditEntry"];
                    };
                };
                400: components["responses"]["Unreadable"];
                401: components["responses"]["Unauthenticated"];
                422: components["responses"]["Invalid"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads who the caller is, and in which role. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        /** @description The resource's version, for If-Match. */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["User"];
                    };
                };
                401: components["responses"]["Unauthenticated"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organisation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads the caller's organisation. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        /** @description The resource's version, for If-Match. */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Organisation"];
                    };
                };
                401: components["responses"]["Unauthenticated"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Renames the caller's organisation. */
        patch: {
            parameters: {
                query?: never;
                header?: {
                    /**
                     * @description The ETag that the caller has seen: when the resource changed since, the answer is 412 and nothing happens. Left out, or *: the last writer wins.
                     * @example "17"
                     */
                    "If-Match"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OrganisationEdit"];
                };
            };
            responses: {
                200: {
                    headers: {
                        /** @description The resource's version, for If-Match. */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Organisation"];
                    };
                };
                400: components["responses"]["Unreadable"];
                401: components["responses"]["Unauthenticated"];
                403: components["responses"]["Forbidden"];
                409: components["responses"]["Conflict"];
                412: components["responses"]["Stale"];
                413: components["responses"]["TooLarge"];
                415: components["responses"]["UnsupportedMediaType"];
                422: components["responses"]["Invalid"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
                507: components["responses"]["StorageFull"];
            };
        };
        trace?: never;
    };
    "/api/v1/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the organisation's projects by key. */
        get: {
            parameters: {
                query?: {
                    /** @description From `nextCursor` of the page before. */
                    cursor?: string;
                    /** @description How many items, 1 to 200; 50 when left out. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["List_Project"];
                    };
                };
                400: components["responses"]["Unreadable"];
                401: components["responses"]["Unauthenticated"];
                422: components["responses"]["Invalid"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
            };
        };
        put?: never;
        /** Creates a project, without environments. */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Makes the request one that is done once, however often it is sent within 24 h: a repeat gets the first answer, without the secret that it may have shown. With another body or path the same key is refused with 422; while the first request is still running, with 409. */
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewProject"];
                };
            };
            responses: {
                201: {
                    headers: {
                        /** @description The resource's version, for If-Match. */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Project"];
                    };
                };
                400: components["responses"]["Unreadable"];
                401: components["responses"]["Unauthenticated"];
                403: components["responses"]["Forbidden"];
                404: components["responses"]["NotFound"];
                409: components["responses"]["Conflict"];
                413: components["responses"]["TooLarge"];
                415: components["responses"]["UnsupportedMediaType"];
                422: components["responses"]["Invalid"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
                507: components["responses"]["StorageFull"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{projectKey}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads a project. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    projectKey: components["schemas"]["Key"];
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        /** @description The resource's version, for If-Match. */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Project"];
                    };
                };
                401: components["responses"]["Unauthenticated"];
                404: components["responses"]["NotFound"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
            };
        };
        put?: never;
        post?: never;
        /** Deletes a project that has no environments and no features. */
        delete: {
            parameters: {
                query?: never;
                header?: {
                    /**
                     * @description The ETag that the caller has seen: when the resource changed since, the answer is 412 and nothing happens. Left out, or *: the last writer wins.
                     * @example "17"
                     */
                    "If-Match"?: string;
                };
                path: {
                    projectKey: components["schemas"]["Key"];
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                400: components["responses"]["Unreadable"];
                401: components["responses"]["Unauthenticated"];
                403: components["responses"]["Forbidden"];
                404: components["responses"]["NotFound"];
                409: components["responses"]["Conflict"];
                412: components["responses"]["Stale"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
                507: components["responses"]["StorageFull"];
            };
        };
        options?: never;
        head?: never;
        /** Renames a project. */
        patch: {
            parameters: {
                query?: never;
                header?: {
                    /**
                     * @description The ETag that the caller has seen: when the resource changed since, the answer is 412 and nothing happens. Left out, or *: the last writer wins.
                     * @example "17"
                     */
                    "If-Match"?: string;
                };
                path: {
                    projectKey: components["schemas"]["Key"];
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ProjectEdit"];
                };
            };
            responses: {
                200: {
                    headers: {
                        /** @description The resource's version, for If-Match. */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Project"];
                    };
                };
                400: components["responses"]["Unreadable"];
                401: components["responses"]["Unauthenticated"];
                403: components["responses"]["Forbidden"];
                404: components["responses"]["NotFound"];
                409: components["responses"]["Conflict"];
                412: components["responses"]["Stale"];
                413: components["responses"]["TooLarge"];
                415: components["responses"]["UnsupportedMediaType"];
                422: components["responses"]["Invalid"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
                507: components["responses"]["StorageFull"];
            };
        };
        trace?: never;
    };
    "/api/v1/projects/{projectKey}/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the project's approvals, newest first. */
        get: {
            parameters: {
                query?: {
                    /** @description From `nextCursor` of the page before. */
                    cursor?: string;
                    /** @description How many items, 1 to 200; 50 when left out. */
                    limit?: number;
                    /** @description Only those that stand there. */
                    state?: components["schemas"]["ApprovalState"];
                    /** @description Only of this feature. */
                    featureKey?: components["schemas"]["Key"];
                    /** @description Only of this environment. */
                    environmentKey?: components["schemas"]["Key"];
                };
                header?: never;
                path: {
                    projectKey: components["schemas"]["Key"];
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["List_ApprovalSummary"];
                    };
                };
                400: components["responses"]["Unreadable"];
                401: components["responses"]["Unauthenticated"];
                404: components["responses"]["NotFound"];
                422: components["responses"]["Invalid"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{projectKey}/approvals/{approvalId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads an approval: the targeting before and after, what was said, and whether it could be approved now. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    projectKey: components["schemas"]["Key"];
                    approvalId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        /** @description The resource's version, for If-Match. */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Approval"];
                    };
                };
                401: components["responses"]["Unauthenticated"];
                404: components["responses"]["NotFound"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{projectKey}/approvals/{approvalId}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Approves a change and makes it, if it is still the change that was asked for. */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Makes the request one that is done once, however often it is sent within 24 h: a repeat gets the first answer, without the secret that it may have shown. With another body or path the same key is refused with 422; while the first request is still running, with 409. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    projectKey: components["schemas"]["Key"];
                    approvalId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Decision"];
                };
            };
            responses: {
                200: {
                    headers: {
                        /** @description The resource's version, for If-Match. */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Approval"];
                    };
                };
                400: components["responses"]["Unreadable"];
                401: components["responses"]["Unauthenticated"];
                403: components["responses"]["Forbidden"];
                404: components["responses"]["NotFound"];
                409: components["responses"]["Conflict"];
                413: components["responses"]["TooLarge"];
                415: components["responses"]["UnsupportedMediaType"];
                422: components["responses"]["Invalid"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
                507: components["responses"]["StorageFull"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{projectKey}/approvals/{approvalId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes a change back, which is then not made: its requester's, or an administrator's. */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Makes the request one that is done once, however often it is sent within 24 h: a repeat gets the first answer, without the secret that it may have shown. With another body or path the same key is refused with 422; while the first request is still running, with 409. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    projectKey: components["schemas"]["Key"];
                    approvalId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Decision"];
                };
            };
            responses: {
                200: {
                    headers: {
                        /** @description The resource's version, for If-Match. */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Approval"];
                    };
                };
                400: components["responses"]["Unreadable"];
                401: components["responses"]["Unauthenticated"];
                403: components["responses"]["Forbidden"];
                404: components["responses"]["NotFound"];
                409: components["responses"]["Conflict"];
                413: components["responses"]["TooLarge"];
                415: components["responses"]["UnsupportedMediaType"];
                422: components["responses"]["Invalid"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
                507: components["responses"]["StorageFull"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{projectKey}/approvals/{approvalId}/comments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Says something about a change, decided on or not. */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Makes the request one that is done once, however often it is sent within 24 h: a repeat gets the first answer, without the secret that it may have shown. With another body or path the same key is refused with 422; while the first request is still running, with 409. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    projectKey: components["schemas"]["Key"];
                    approvalId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewComment"];
                };
            };
            responses: {
                201: {
                    headers: {
                        /** @description The resource's version, for If-Match. */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Approval"];
                    };
                };
                400: components["responses"]["Unreadable"];
                401: components["responses"]["Unauthenticated"];
                403: components["responses"]["Forbidden"];
                404: components["responses"]["NotFound"];
                409: components["responses"]["Conflict"];
                413: components["responses"]["TooLarge"];
                415: components["responses"]["UnsupportedMediaType"];
                422: components["responses"]["Invalid"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
                507: components["responses"]["StorageFull"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{projectKey}/approvals/{approvalId}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Rejects a change, which is then not made. */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Makes the request one that is done once, however often it is sent within 24 h: a repeat gets the first answer, without the secret that it may have shown. With another body or path the same key is refused with 422; while the first request is still running, with 409. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    projectKey: components["schemas"]["Key"];
                    approvalId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Decision"];
                };
            };
            responses: {
                200: {
                    headers: {
                        /** @description The resource's version, for If-Match. */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Approval"];
                    };
                };
                400: components["responses"]["Unreadable"];
                401: components["responses"]["Unauthenticated"];
                403: components["responses"]["Forbidden"];
                404: components["responses"]["NotFound"];
                409: components["responses"]["Conflict"];
                413: components["responses"]["TooLarge"];
                415: components["responses"]["UnsupportedMediaType"];
                422: components["responses"]["Invalid"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
                507: components["responses"]["StorageFull"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{projectKey}/audiences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the project's audiences by key. */
        get: {
            parameters: {
                query?: {
                    /** @description From `nextCursor` of the page before. */
                    cursor?: string;
                    /** @description How many items, 1 to 200; 50 when left out. */
                    limit?: number;
                };
                header?: never;
                path: {
                    projectKey: components["schemas"]["Key"];
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["List_Audience"];
                    };
                };
                400: components["responses"]["Unreadable"];
                401: components["responses"]["Unauthenticated"];
                404: components["responses"]["NotFound"];
                422: components["responses"]["Invalid"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
            };
        };
        put?: never;
        /** Saves a new audience. */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Makes the request one that is done once, however often it is sent within 24 h: a repeat gets the first answer, without the secret that it may have shown. With another body or path the same key is refused with 422; while the first request is still running, with 409. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    projectKey: components["schemas"]["Key"];
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewAudience"];
                };
            };
            responses: {
                201: {
                    headers: {
                        /** @description The resource's version, for If-Match. */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Audience"];
                    };
                };
                400: components["responses"]["Unreadable"];
                401: components["responses"]["Unauthenticated"];
                403: components["responses"]["Forbidden"];
                404: components["responses"]["NotFound"];
                409: components["responses"]["Conflict"];
                413: components["responses"]["TooLarge"];
                415: components["responses"]["UnsupportedMediaType"];
                422: components["responses"]["Invalid"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
                507: components["responses"]["StorageFull"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{projectKey}/audiences/{audienceKey}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads an audience, with the places that use it. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    projectKey: components["schemas"]["Key"];
                    audienceKey: components["schemas"]["Key"];
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        /** @description The resource's version, for If-Match. */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Audience"];
                    };
                };
                401: components["responses"]["Unauthenticated"];
                404: components["responses"]["NotFound"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
            };
        };
        put?: never;
        post?: never;
        /** Deletes an audience that no rule uses. */
        delete: {
            parameters: {
                query?: never;
                header?: {
                    /**
                     * @description The ETag that the caller has seen: when the resource changed since, the answer is 412 and nothing happens. Left out, or *: the last writer wins.
                     * @example "17"
                     */
                    "If-Match"?: string;
                };
                path: {
                    projectKey: components["schemas"]["Key"];
                    audienceKey: components["schemas"]["Key"];
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                400: components["responses"]["Unreadable"];
                401: components["responses"]["Unauthenticated"];
                403: components["responses"]["Forbidden"];
                404: components["responses"]["NotFound"];
                409: components["responses"]["Conflict"];
                412: components["responses"]["Stale"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
                507: components["responses"]["StorageFull"];
            };
        };
        options?: never;
        head?: never;
        /** Changes an audience. Other conditions change every feature that uses it, at once. */
        patch: {
            parameters: {
                query?: never;
                header?: {
                    /**
                     * @description The ETag that the caller has seen: when the resource changed since, the answer is 412 and nothing happens. Left out, or *: the last writer wins.
                     * @example "17"
                     */
                    "If-Match"?: string;
                };
                path: {
                    projectKey: components["schemas"]["Key"];
                    audienceKey: components["schemas"]["Key"];
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AudienceEdit"];
                };
            };
            responses: {
                200: {
                    headers: {
                        /** @description The resource's version, for If-Match. */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Audience"];
                    };
                };
                400: components["responses"]["Unreadable"];
                401: components["responses"]["Unauthenticated"];
                403: components["responses"]["Forbidden"];
                404: components["responses"]["NotFound"];
                409: components["responses"]["Conflict"];
                412: components["responses"]["Stale"];
                413: components["responses"]["TooLarge"];
                415: components["responses"]["UnsupportedMediaType"];
                422: components["responses"]["Invalid"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
                507: components["responses"]["StorageFull"];
            };
        };
        trace?: never;
    };
    "/api/v1/projects/{projectKey}/environments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the project's environments in their order. */
        get: {
            parameters: {
                query?: {
                    /** @description From `nextCursor` of the page before. */
                    cursor?: string;
                    /** @description How many items, 1 to 200; 50 when left out. */
                    limit?: number;
                };
                header?: never;
                path: {
                    projectKey: components["schemas"]["Key"];
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["List_Environment"];
                    };
                };
                400: components["responses"]["Unreadable"];
                401: components["responses"]["Unauthenticated"];
                404: components["responses"]["NotFound"];
                422: components["responses"]["Invalid"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
            };
        };
        put?: never;
        /** Creates an environment; every feature of the project is off in it. */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Makes the request one that is done once, however often it is sent within 24 h: a repeat gets the first answer, without the secret that it may have shown. With another body or path the same key is refused with 422; while the first request is still running, with 409. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    projectKey: components["schemas"]["Key"];
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewEnvironment"];
                };
            };
            responses: {
                201: {
                    headers: {
                        /** @description The resource's version, for If-Match. */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Environment"];
                    };
                };
                400: components["responses"]["Unreadable"];
                401: components["responses"]["Unauthenticated"];
                403: components["responses"]["Forbidden"];
                404: components["responses"]["NotFound"];
                409: components["responses"]["Conflict"];
                413: components["responses"]["TooLarge"];
                415: components["responses"]["UnsupportedMediaType"];
                422: components["responses"]["Invalid"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
                507: components["responses"]["StorageFull"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{projectKey}/environments/compare": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Compares two environments, feature by feature. */
        get: {
            parameters: {
                query: {
                    /** @description Key of the environment that a copy would come from. */
                    source: components["schemas"]["Key"];
                    /** @description Key of the environment that it would go to. */
                    target: components["schemas"]["Key"];
                };
                header?: never;
                path: {
                    projectKey: components["schemas"]["Key"];
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Comparison"];
                    };
                };
                400: components["responses"]["Unreadable"];
                401: components["responses"]["Unauthenticated"];
                404: components["responses"]["NotFound"];
                422: components["responses"]["Invalid"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{projectKey}/environments/copy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Copies targeting from one environment to another. */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Makes the request one that is done once, however often it is sent within 24 h: a repeat gets the first answer, without the secret that it may have shown. With another body or path the same key is refused with 422; while the first request is still running, with 409. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    projectKey: components["schemas"]["Key"];
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CopyBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CopyResult"];
                    };
                };
                400: components["responses"]["Unreadable"];
                401: components["responses"]["Unauthenticated"];
                403: components["responses"]["Forbidden"];
                404: components["responses"]["NotFound"];
                409: components["responses"]["Conflict"];
                413: components["responses"]["TooLarge"];
                415: components["responses"]["UnsupportedMediaType"];
                422: components["responses"]["Invalid"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
                507: components["responses"]["StorageFull"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{projectKey}/environments/{environmentKey}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads an environment. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    projectKey: components["schemas"]["Key"];
                    environmentKey: components["schemas"]["Key"];
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        /** @description The resource's version, for If-Match. */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Environment"];
                    };
                };
                401: components["responses"]["Unauthenticated"];
                404: components["responses"]["NotFound"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
            };
        };
        put?: never;
        post?: never;
        /** Deletes an environment with its targeting, keys and goals. One that is marked as production is refused. */
        delete: {
            parameters: {
                query?: never;
                header?: {
                    /**
                     * @description The ETag that the caller has seen: when the resource changed since, the answer is 412 and nothing happens. Left out, or *: the last writer wins.
                     * @example "17"
                     */
                    "If-Match"?: string;
                };
                path: {
                    projectKey: components["schemas"]["Key"];
                    environmentKey: components["schemas"]["Key"];
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                400: components["responses"]["Unreadable"];
                401: components["responses"]["Unauthenticated"];
                403: components["responses"]["Forbidden"];
                404: components["responses"]["NotFound"];
                409: components["responses"]["Conflict"];
                412: components["responses"]["Stale"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
                507: components["responses"]["StorageFull"];
            };
        };
        options?: never;
        head?: never;
        /** Changes an environment. */
        patch: {
            parameters: {
                query?: never;
                header?: {
                    /**
                     * @description The ETag that the caller has seen: when the resource changed since, the answer is 412 and nothing happens. Left out, or *: the last writer wins.
                     * @example "17"
                     */
                    "If-Match"?: string;
                };
                path: {
                    projectKey: components["schemas"]["Key"];
                    environmentKey: components["schemas"]["Key"];
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EnvironmentEdit"];
                };
            };
            responses: {
                200: {
                    headers: {
                        /** @description The resource's version, for If-Match. */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Environment"];
                    };
                };
                400: components["responses"]["Unreadable"];
                401: components["responses"]["Unauthenticated"];
                403: components["responses"]["Forbidden"];
                404: components["responses"]["NotFound"];
                409: components["responses"]["Conflict"];
                412: components["responses"]["Stale"];
                413: components["responses"]["TooLarge"];
                415: components["responses"]["UnsupportedMediaType"];
                422: components["responses"]["Invalid"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
                507: components["responses"]["StorageFull"];
            };
        };
        trace?: never;
    };
    "/api/v1/projects/{projectKey}/environments/{environmentKey}/client-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the environment's client keys that count. */
        get: {
            parameters: {
                query?: {
                    /** @description From `nextCursor` of the page before. */
                    cursor?: string;
                    /** @description How many items, 1 to 200; 50 when left out. */
                    limit?: number;
                };
                header?: never;
                path: {
                    projectKey: components["schemas"]["Key"];
                    environmentKey: components["schemas"]["Key"];
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["List_SdkKey"];
                    };
                };
                400: components["responses"]["Unreadable"];
                401: components["responses"]["Unauthenticated"];
                404: components["responses"]["NotFound"];
                422: components["responses"]["Invalid"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
            };
        };
        put?: never;
        /** Makes a client key. Its text is shown in this answer only. */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Makes the request one that is done once, however often it is sent within 24 h: a repeat gets the first answer, without the secret that it may have shown. With another body or path the same key is refused with 422; while the first request is still running, with 409. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    projectKey: components["schemas"]["Key"];
                    environmentKey: components["schemas"]["Key"];
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewSdkKey"];
                };
            };
            responses: {
                201: {
                    headers: {
                        /** @description The resource's version, for If-Match. */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SdkKey"];
                    };
                };
                400: components["responses"]["Unreadable"];
                401: components["responses"]["Unauthenticated"];
                403: components["responses"]["Forbidden"];
                404: components["responses"]["NotFound"];
                409: components["responses"]["Conflict"];
                413: components["responses"]["TooLarge"];
                415: components["responses"]["UnsupportedMediaType"];
                422: components["responses"]["Invalid"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
                507: components["responses"]["StorageFull"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{projectKey}/environments/{environmentKey}/client-keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revokes a client key. */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    projectKey: components["schemas"]["Key"];
                    environmentKey: components["schemas"]["Key"];
                    keyId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                401: components["responses"]["Unauthenticated"];
                403: components["responses"]["Forbidden"];
                404: components["responses"]["NotFound"];
                409: components["responses"]["Conflict"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
                507: components["responses"]["StorageFull"];
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{projectKey}/environments/{environmentKey}/goals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the environment's goals by key, counted by feature and variant. */
        get: {
            parameters: {
                query?: {
                    /** @description From `nextCursor` of the page before. */
                    cursor?: string;
                    /** @description How many items, 1 to 200; 50 when left out. */
                    limit?: number;
                };
                header?: never;
                path: {
                    projectKey: components["schemas"]["Key"];
                    environmentKey: components["schemas"]["Key"];
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["List_Goal"];
                    };
                };
                400: components["responses"]["Unreadable"];
                401: components["responses"]["Unauthenticated"];
                404: components["responses"]["NotFound"];
                422: components["responses"]["Invalid"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{projectKey}/environments/{environmentKey}/server-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the environment's server keys that count. */
        get: {
            parameters: {
                query?: {
                    /** @description From `nextCursor` of the page before. */
                    cursor?: string;
                    /** @description How many items, 1 to 200; 50 when left out. */
                    limit?: number;
                };
                header?: never;
                path: {
                    projectKey: components["schemas"]["Key"];
                    environmentKey: components["schemas"]["Key"];
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["List_SdkKey"];
                    };
                };
                400: components["responses"]["Unreadable"];
                401: components["responses"]["Unauthenticated"];
                404: components["responses"]["NotFound"];
                422: components["responses"]["Invalid"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
            };
        };
        put?: never;
        /** Makes a server key. Its text is shown in this answer only. */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Makes the request one that is done once, however often it is sent within 24 h: a repeat gets the first answer, without the secret that it may have shown. With another body or path the same key is refused with 422; while the first request is still running, with 409. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    projectKey: components["schemas"]["Key"];
                    environmentKey: components["schemas"]["Key"];
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewSdkKey"];
                };
            };
            responses: {
                201: {
                    headers: {
                        /** @description The resource's version, for If-Match. */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SdkKey"];
                    };
                };
                400: components["responses"]["Unreadable"];
                401: components["responses"]["Unauthenticated"];
                403: components["responses"]["Forbidden"];
                404: components["responses"]["NotFound"];
                409: components["responses"]["Conflict"];
                413: components["responses"]["TooLarge"];
                415: components["responses"]["UnsupportedMediaType"];
                422: components["responses"]["Invalid"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
                507: components["responses"]["StorageFull"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{projectKey}/environments/{environmentKey}/server-keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revokes a server key. */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    projectKey: components["schemas"]["Key"];
                    environmentKey: components["schemas"]["Key"];
                    keyId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                401: components["responses"]["Unauthenticated"];
                403: components["responses"]["Forbidden"];
                404: components["responses"]["NotFound"];
                409: components["responses"]["Conflict"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
                507: components["responses"]["StorageFull"];
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{projectKey}/features": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the project's features by key. */
        get: {
            parameters: {
                query?: {
                    /** @description From `nextCursor` of the page before. */
                    cursor?: string;
                    /** @description How many items, 1 to 200; 50 when left out. */
                    limit?: number;
                    /** @description Only of this status. */
                    lifecycle?: components["schemas"]["Lifecycle"];
                    /** @description Only with this tag. */
                    tag?: string;
                    /** @description Only with all of these words in its key, its name or a tag; capitals do not matter. */
                    search?: string;
                    /** @description With the state in each environment. */
                    environments?: boolean;
                };
                header?: never;
                path: {
                    projectKey: components["schemas"]["Key"];
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["List_Feature"];
                    };
                };
                400: components["responses"]["Unreadable"];
                401: components["responses"]["Unauthenticated"];
                404: components["responses"]["NotFound"];
                422: components["responses"]["Invalid"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
            };
        };
        put?: never;
        /** Creates a feature, switched off in every environment. */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Makes the request one that is done once, however often it is sent within 24 h: a repeat gets the first answer, without the secret that it may have shown. With another body or path the same key is refused with 422; while the first request is still running, with 409. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    projectKey: components["schemas"]["Key"];
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewFeature"];
                };
            };
            responses: {
                201: {
                    headers: {
                        /** @description The resource's version, for If-Match. */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Feature"];
                    };
                };
                400: components["responses"]["Unreadable"];
                401: components["responses"]["Unauthenticated"];
                403: components["responses"]["Forbidden"];
                404: components["responses"]["NotFound"];
                409: components["responses"]["Conflict"];
                413: components["responses"]["TooLarge"];
                415: components["responses"]["UnsupportedMediaType"];
                422: components["responses"]["Invalid"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
                507: components["responses"]["StorageFull"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{projectKey}/features/{featureKey}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads a feature. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    projectKey: components["schemas"]["Key"];
                    featureKey: components["schemas"]["Key"];
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        /** @description The resource's version, for If-Match. */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Feature"];
                    };
                };
                401: components["responses"]["Unauthenticated"];
                404: components["responses"]["NotFound"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
            };
        };
        put?: never;
        post?: never;
        /** Deletes an archived feature with its targeting. */
        delete: {
            parameters: {
                query?: never;
                header?: {
                    /**
                     * @description The ETag that the caller has seen: when the resource changed since, the answer is 412 and nothing happens. Left out, or *: the last writer wins.
                     * @example "17"
                     */
                    "If-Match"?: string;
                };
                path: {
                    projectKey: components["schemas"]["Key"];
                    featureKey: components["schemas"]["Key"];
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                400: components["responses"]["Unreadable"];
                401: components["responses"]["Unauthenticated"];
                403: components["responses"]["Forbidden"];
                404: components["responses"]["NotFound"];
                409: components["responses"]["Conflict"];
                412: components["responses"]["Stale"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
                507: components["responses"]["StorageFull"];
            };
        };
        options?: never;
        head?: never;
        /** Changes a feature. */
        patch: {
            parameters: {
                query?: never;
                header?: {
                    /**
                     * @description The ETag that the caller has seen: when the resource changed since, the answer is 412 and nothing happens. Left out, or *: the last writer wins.
                     * @example "17"
                     */
                    "If-Match"?: string;
                };
                path: {
                    projectKey: components["schemas"]["Key"];
                    featureKey: components["schemas"]["Key"];
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["FeatureEdit"];
                };
            };
            responses: {
                200: {
                    headers: {
                        /** @description The resource's version, for If-Match. */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Feature"];
                    };
                };
                400: components["responses"]["Unreadable"];
                401: components["responses"]["Unauthenticated"];
                403: components["responses"]["Forbidden"];
                404: components["responses"]["NotFound"];
                409: components["responses"]["Conflict"];
                412: components["responses"]["Stale"];
                413: components["responses"]["TooLarge"];
                415: components["responses"]["UnsupportedMediaType"];
                422: components["responses"]["Invalid"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
                507: components["responses"]["StorageFull"];
            };
        };
        trace?: never;
    };
    "/api/v1/projects/{projectKey}/features/{featureKey}/environments/{environmentKey}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads a feature's targeting in an environment. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    projectKey: components["schemas"]["Key"];
                    featureKey: components["schemas"]["Key"];
                    environmentKey: components["schemas"]["Key"];
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        /** @description The resource's version, for If-Match. */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TargetingView"];
                    };
                };
                401: components["responses"]["Unauthenticated"];
                404: components["responses"]["NotFound"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
            };
        };
        /** Replaces all of a feature's targeting in an environment, or asks for approval of that. */
        put: {
            parameters: {
                query?: never;
                header?: {
                    /**
                     * @description The ETag that the caller has seen: when the resource changed since, the answer is 412 and nothing happens. Left out, or *: the last writer wins.
                     * @example "17"
                     */
                    "If-Match"?: string;
                };
                path: {
                    projectKey: components["schemas"]["Key"];
                    featureKey: components["schemas"]["Key"];
                    environmentKey: components["schemas"]["Key"];
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TargetingReplacement"];
                };
            };
            responses: {
                200: {
                    headers: {
                        /** @description The resource's version, for If-Match. */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TargetingView"];
                    };
                };
                /** @description The change waits for approval; nothing has changed. */
                202: {
                    headers: {
                        /** @description Where the approval is. */
                        Location?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Approval"];
                    };
                };
                400: components["responses"]["Unreadable"];
                401: components["responses"]["Unauthenticated"];
                403: components["responses"]["Forbidden"];
                404: components["responses"]["NotFound"];
                409: components["responses"]["Conflict"];
                412: components["responses"]["Stale"];
                413: components["responses"]["TooLarge"];
                415: components["responses"]["UnsupportedMediaType"];
                422: components["responses"]["Invalid"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
                507: components["responses"]["StorageFull"];
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Changes parts of a feature's targeting in an environment, or asks for approval of that. */
        patch: {
            parameters: {
                query?: never;
                header?: {
                    /**
                     * @description The ETag that the caller has seen: when the resource changed since, the answer is 412 and nothing happens. Left out, or *: the last writer wins.
                     * @example "17"
                     */
                    "If-Match"?: string;
                };
                path: {
                    projectKey: components["schemas"]["Key"];
                    featureKey: components["schemas"]["Key"];
                    environmentKey: components["schemas"]["Key"];
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TargetingEdit"];
                };
            };
            responses: {
                200: {
                    headers: {
                        /** @description The resource's version, for If-Match. */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TargetingView"];
                    };
                };
                /** @description The change waits for approval; nothing has changed. */
                202: {
                    headers: {
                        /** @description Where the approval is. */
                        Location?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Approval"];
                    };
                };
                400: components["responses"]["Unreadable"];
                401: components["responses"]["Unauthenticated"];
                403: components["responses"]["Forbidden"];
                404: components["responses"]["NotFound"];
                409: components["responses"]["Conflict"];
                412: components["responses"]["Stale"];
                413: components["responses"]["TooLarge"];
                415: components["responses"]["UnsupportedMediaType"];
                422: components["responses"]["Invalid"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
                507: components["responses"]["StorageFull"];
            };
        };
        trace?: never;
    };
    "/api/v1/projects/{projectKey}/features/{featureKey}/environments/{environmentKey}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Evaluates a feature's targeting in an environment, saved or not, for a user, and tells why. Nothing is written. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    projectKey: components["schemas"]["Key"];
                    featureKey: components["schemas"]["Key"];
                    environmentKey: components["schemas"]["Key"];
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PreviewQuestion"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Preview"];
                    };
                };
                400: components["responses"]["Unreadable"];
                401: components["responses"]["Unauthenticated"];
                404: components["responses"]["NotFound"];
                413: components["responses"]["TooLarge"];
                415: components["responses"]["UnsupportedMediaType"];
                422: components["responses"]["Invalid"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{projectKey}/features/{featureKey}/next-phase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Moves a feature to the next phase of its pipeline. No targeting changes by that. */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Makes the request one that is done once, however often it is sent within 24 h: a repeat gets the first answer, without the secret that it may have shown. With another body or path the same key is refused with 422; while the first request is still running, with 409. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    projectKey: components["schemas"]["Key"];
                    featureKey: components["schemas"]["Key"];
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NextPhase"];
                };
            };
            responses: {
                200: {
                    headers: {
                        /** @description The resource's version, for If-Match. */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Feature"];
                    };
                };
                400: components["responses"]["Unreadable"];
                401: components["responses"]["Unauthenticated"];
                403: components["responses"]["Forbidden"];
                404: components["responses"]["NotFound"];
                409: components["responses"]["Conflict"];
                413: components["responses"]["TooLarge"];
                415: components["responses"]["UnsupportedMediaType"];
                422: components["responses"]["Invalid"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
                507: components["responses"]["StorageFull"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{projectKey}/pipelines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the project's pipelines by key. */
        get: {
            parameters: {
                query?: {
                    /** @description From `nextCursor` of the page before. */
                    cursor?: string;
                    /** @description How many items, 1 to 200; 50 when left out. */
                    limit?: number;
                };
                header?: never;
                path: {
                    projectKey: components["schemas"]["Key"];
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["List_Pipeline"];
                    };
                };
                400: components["responses"]["Unreadable"];
                401: components["responses"]["Unauthenticated"];
                404: components["responses"]["NotFound"];
                422: components["responses"]["Invalid"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
            };
        };
        put?: never;
        /** Creates a pipeline. */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Makes the request one that is done once, however often it is sent within 24 h: a repeat gets the first answer, without the secret that it may have shown. With another body or path the same key is refused with 422; while the first request is still running, with 409. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    projectKey: components["schemas"]["Key"];
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewPipeline"];
                };
            };
            responses: {
                201: {
                    headers: {
                        /** @description The resource's version, for If-Match. */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Pipeline"];
                    };
                };
                400: components["responses"]["Unreadable"];
                401: components["responses"]["Unauthenticated"];
                403: components["responses"]["Forbidden"];
                404: components["responses"]["NotFound"];
                409: components["responses"]["Conflict"];
                413: components["responses"]["TooLarge"];
                415: components["responses"]["UnsupportedMediaType"];
                422: components["responses"]["Invalid"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
                507: components["responses"]["StorageFull"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{projectKey}/pipelines/{pipelineKey}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads a pipeline. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    projectKey: components["schemas"]["Key"];
                    pipelineKey: components["schemas"]["Key"];
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        /** @description The resource's version, for If-Match. */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Pipeline"];
                    };
                };
                401: components["responses"]["Unauthenticated"];
                404: components["responses"]["NotFound"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
            };
        };
        put?: never;
        post?: never;
        /** Deletes a pipeline that no feature is assigned to. */
        delete: {
            parameters: {
                query?: never;
                header?: {
                    /**
                     * @description The ETag that the caller has seen: when the resource changed since, the answer is 412 and nothing happens. Left out, or *: the last writer wins.
                     * @example "17"
                     */
                    "If-Match"?: string;
                };
                path: {
                    projectKey: components["schemas"]["Key"];
                    pipelineKey: components["schemas"]["Key"];
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                400: components["responses"]["Unreadable"];
                401: components["responses"]["Unauthenticated"];
                403: components["responses"]["Forbidden"];
                404: components["responses"]["NotFound"];
                409: components["responses"]["Conflict"];
                412: components["responses"]["Stale"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
                507: components["responses"]["StorageFull"];
            };
        };
        options?: never;
        head?: never;
        /** Changes a pipeline. A feature whose phase is gone goes back to the nearest earlier one. */
        patch: {
            parameters: {
                query?: never;
                header?: {
                    /**
                     * @description The ETag that the caller has seen: when the resource changed since, the answer is 412 and nothing happens. Left out, or *: the last writer wins.
                     * @example "17"
                     */
                    "If-Match"?: string;
                };
                path: {
                    projectKey: components["schemas"]["Key"];
                    pipelineKey: components["schemas"]["Key"];
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PipelineEdit"];
                };
            };
            responses: {
                200: {
                    headers: {
                        /** @description The resource's version, for If-Match. */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Pipeline"];
                    };
                };
                400: components["responses"]["Unreadable"];
                401: components["responses"]["Unauthenticated"];
                403: components["responses"]["Forbidden"];
                404: components["responses"]["NotFound"];
                409: components["responses"]["Conflict"];
                412: components["responses"]["Stale"];
                413: components["responses"]["TooLarge"];
                415: components["responses"]["UnsupportedMediaType"];
                422: components["responses"]["Invalid"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
                507: components["responses"]["StorageFull"];
            };
        };
        trace?: never;
    };
    "/api/v1/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists tokens that were not revoked. */
        get: {
            parameters: {
                query?: {
                    /** @description From `nextCursor` of the page before. */
                    cursor?: string;
                    /** @description How many items, 1 to 200; 50 when left out. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["List_AccessToken"];
                    };
                };
                400: components["responses"]["Unreadable"];
                401: components["responses"]["Unauthenticated"];
                422: components["responses"]["Invalid"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
            };
        };
        put?: never;
        /** Makes a token. Its text is shown in this answer only; a repeat with the same Idempotency-Key does not show it. */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Makes the request one that is done once, however often it is sent within 24 h: a repeat gets the first answer, without the secret that it may have shown. With another body or path the same key is refused with 422; while the first request is still running, with 409. */
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewAccessToken"];
                };
            };
            responses: {
                201: {
                    headers: {
                        /** @description The resource's version, for If-Match. */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AccessToken"];
                    };
                };
                400: components["responses"]["Unreadable"];
                401: components["responses"]["Unauthenticated"];
                403: components["responses"]["Forbidden"];
                404: components["responses"]["NotFound"];
                409: components["responses"]["Conflict"];
                413: components["responses"]["TooLarge"];
                415: components["responses"]["UnsupportedMediaType"];
                422: components["responses"]["Invalid"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
                507: components["responses"]["StorageFull"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tokens/{tokenId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revokes a token. */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    tokenId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                401: components["responses"]["Unauthenticated"];
                403: components["responses"]["Forbidden"];
                404: components["responses"]["NotFound"];
                409: components["responses"]["Conflict"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
                507: components["responses"]["StorageFull"];
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the organisation's people. */
        get: {
            parameters: {
                query?: {
                    /** @description From `nextCursor` of the page before. */
                    cursor?: string;
                    /** @description How many items, 1 to 200; 50 when left out. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["List_User"];
                    };
                };
                400: components["responses"]["Unreadable"];
                401: components["responses"]["Unauthenticated"];
                422: components["responses"]["Invalid"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
            };
        };
        put?: never;
        /** Adds a person. */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Makes the request one that is done once, however often it is sent within 24 h: a repeat gets the first answer, without the secret that it may have shown. With another body or path the same key is refused with 422; while the first request is still running, with 409. */
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewUser"];
                };
            };
            responses: {
                201: {
                    headers: {
                        /** @description The resource's version, for If-Match. */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["User"];
                    };
                };
                400: components["responses"]["Unreadable"];
                401: components["responses"]["Unauthenticated"];
                403: components["responses"]["Forbidden"];
                404: components["responses"]["NotFound"];
                409: components["responses"]["Conflict"];
                413: components["responses"]["TooLarge"];
                415: components["responses"]["UnsupportedMediaType"];
                422: components["responses"]["Invalid"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
                507: components["responses"]["StorageFull"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads a person. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    userId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        /** @description The resource's version, for If-Match. */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["User"];
                    };
                };
                401: components["responses"]["Unauthenticated"];
                404: components["responses"]["NotFound"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
            };
        };
        put?: never;
        post?: never;
        /** Deletes a person; the person's tokens no longer count. */
        delete: {
            parameters: {
                query?: never;
                header?: {
                    /**
                     * @description The ETag that the caller has seen: when the resource changed since, the answer is 412 and nothing happens. Left out, or *: the last writer wins.
                     * @example "17"
                     */
                    "If-Match"?: string;
                };
                path: {
                    userId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                400: components["responses"]["Unreadable"];
                401: components["responses"]["Unauthenticated"];
                403: components["responses"]["Forbidden"];
                404: components["responses"]["NotFound"];
                409: components["responses"]["Conflict"];
                412: components["responses"]["Stale"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
                507: components["responses"]["StorageFull"];
            };
        };
        options?: never;
        head?: never;
        /** Changes a person's name or role. */
        patch: {
            parameters: {
                query?: never;
                header?: {
                    /**
                     * @description The ETag that the caller has seen: when the resource changed since, the answer is 412 and nothing happens. Left out, or *: the last writer wins.
                     * @example "17"
                     */
                    "If-Match"?: string;
                };
                path: {
                    userId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["UserEdit"];
                };
            };
            responses: {
                200: {
                    headers: {
                        /** @description The resource's version, for If-Match. */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["User"];
                    };
                };
                400: components["responses"]["Unreadable"];
                401: components["responses"]["Unauthenticated"];
                403: components["responses"]["Forbidden"];
                404: components["responses"]["NotFound"];
                409: components["responses"]["Conflict"];
                412: components["responses"]["Stale"];
                413: components["responses"]["TooLarge"];
                415: components["responses"]["UnsupportedMediaType"];
                422: components["responses"]["Invalid"];
                500: components["responses"]["Internal"];
                503: components["responses"]["Timeout"];
                507: components["responses"]["StorageFull"];
            };
        };
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description A personal access token, without its text.
         * @example {
         *       "createdAt": "2026-11-21T10:42:01Z",
         *       "expiresAt": "2099-01-01T00:00:00Z",
         *       "hint": "x7qk",
         *       "id": "01938f2a-6f40-7c3d-9b1e-4a5d6c7e8f90",
         *       "lastUsedAt": "2026-11-21T11:00:00Z",
         *       "name": "Deploy robot",
         *       "userId": "01938f2a-6f40-7d10-8c2f-1b2a3c4d5e6f"
         *     }
         */
        AccessToken: {
            createdAt: components["schemas"]["Time"];
            expiresAt?: components["schemas"]["Time"] | null;
            /** @description The token's last characters. */
            hint: string;
            id: string;
            lastUsedAt?: components["schemas"]["Time"] | null;
            name: string;
            /** @description The token itself, in the answer that creates it and never again. */
            token?: string | null;
            userId: string;
        };
        /** @description How an analytics service is reached; its keys are never shown. */
        AnalyticsConfiguration: {
            filter: components["schemas"]["Filter"];
            region: components["schemas"]["Region"];
        };
        /**
         * @description A change of targeting that waits, or waited, for approval.
         * @example {
         *       "after": {
         *         "enabled": true,
         *         "offVariantKey": "off",
         *         "rules": [
         *           {
         *             "conditions": [
         *               {
         *                 "attribute": "country",
         *                 "operator": "equals",
         *                 "values": [
         *                   "DK"
         *                 ]
         *               }
         *             ],
         *             "name": "A fifth of Danes",
         *             "splits": [
         *               {
         *                 "percentage": 20,
         *                 "variantKey": "on"
         *               },
         *               {
         *                 "percentage": 80,
         *                 "variantKey": "off"
         *               }
         *             ]
         *           }
         *         ]
         *       },
         *       "before": {
         *         "enabled": false,
         *         "offVariantKey": "off",
         *         "rules": []
         *       },
         *       "comment": "Half of Denmark, for the weekend.",
         *       "comments": [
         *         {
         *           "at": "2026-11-21T10:45:00Z",
         *           "author": {
         *             "id": "01938f2a-6f40-7d10-8c2f-1b2a3c4d5e70",
         *             "name": "Pablo Reyes"
         *           },
         *           "text": "Why Denmark first?"
         *         }
         *       ],
         *       "decidedAt": null,
         *       "decidedBy": null,
         *       "environmentKey": "production",
         *       "featureKey": "new-checkout",
         *       "id": "01938f2a-6f40-7c3d-9b1e-4a5d6c7e8f90",
         *       "kind": "edit",
         *       "reasons": [
         *         {
         *           "gate": "environment",
         *           "phaseName": null,
         *           "pipelineKey": null,
         *           "pipelineName": null
         *         }
         *       ],
         *       "requestedAt": "2026-11-21T10:42:01Z",
         *       "requestedBy": {
         *         "id": "01938f2a-6f40-7d10-8c2f-1b2a3c4d5e6f",
         *         "name": "Edda Okafor"
         *       },
         *       "sourceEnvironmentKey": null,
         *       "stale": null,
         *       "state": "pending",
         *       "targetVersion": 17
         *     }
         */
        Approval: components["schemas"]["ApprovalSummary"] & {
            /** @description The targeting that it wants. */
            after: components["schemas"]["Targeting"];
            /** @description The targeting that the change was made for. */
            before: components["schemas"]["Targeting"];
            /** @description Oldest first. */
            comments: components["schemas"]["ApprovalComment"][];
            stale?: components["schemas"]["Staleness"] | null;
        };
        /** @description What somebody said about a change. */
        ApprovalComment: {
            at: components["schemas"]["Time"];
            author: components["schemas"]["Person"];
            text: string;
        };
        /** @description What required an approval. */
        ApprovalReason: {
            gate: components["schemas"]["GateKind"];
            /** @description Of a phase. */
            phaseName?: string | null;
            pipelineKey?: components["schemas"]["Key"] | null;
            /** @description Of a phase. */
            pipelineName?: string | null;
        };
        /** @description Copying into the target will be held for approval. */
        ApprovalRequiredChip: {
            /** @description `Approval required`. */
            label: string;
            /** @description What requires it: the target environment, the feature, its pipeline's phase there. */
            reasons: components["schemas"]["GateKind"][];
        };
        /**
         * @description Where an approval stands. All but the first are final.
         * @enum {string}
         */
        ApprovalState: "pending" | "approved" | "rejected" | "cancelled" | "stale";
        /**
         * @description What an approval is about, and where it stands.
         * @example {
         *       "comment": "Half of Denmark, for the weekend.",
         *       "decidedAt": null,
         *       "decidedBy": null,
         *       "environmentKey": "production",
         *       "featureKey": "new-checkout",
         *       "id": "01938f2a-6f40-7c3d-9b1e-4a5d6c7e8f90",
         *       "kind": "edit",
         *       "reasons": [
         *         {
         *           "gate": "environment",
         *           "phaseName": null,
         *           "pipelineKey": null,
         *           "pipelineName": null
         *         }
         *       ],
         *       "requestedAt": "2026-11-21T10:42:01Z",
         *       "requestedBy": {
         *         "id": "01938f2a-6f40-7d10-8c2f-1b2a3c4d5e6f",
         *         "name": "Edda Okafor"
         *       },
         *       "sourceEnvironmentKey": null,
         *       "state": "pending",
         *       "targetVersion": 17
         *     }
         */
        ApprovalSummary: {
            /** @description What the requester said of it. */
            comment: string;
            decidedAt?: components["schemas"]["Time"] | null;
            decidedBy?: components["schemas"]["Person"] | null;
            environmentKey: components["schemas"]["Key"];
            featureKey: components["schemas"]["Key"];
            id: string;
            kind: components["schemas"]["ChangeKind"];
            /** @description What required the approval. */
            reasons: components["schemas"]["ApprovalReason"][];
            requestedAt: components["schemas"]["Time"];
            requestedBy: components["schemas"]["Person"];
            sourceEnvironmentKey?: components["schemas"]["Key"] | null;
            state: components["schemas"]["ApprovalState"];
            /**
             * Format: int64
             * @description The version of the targeting that the change was made for.
             */
            targetVersion: number;
        };
        /**
         * @description A saved audience.
         * @example {
         *       "conditions": [
         *         {
         *           "attribute": "plan",
         *           "operator": "in",
         *           "values": [
         *             "pro",
         *             "team"
         *           ]
         *         }
         *       ],
         *       "environmentKey": null,
         *       "key": "team-plans",
         *       "name": "Teams",
         *       "usedIn": [
         *         {
         *           "environmentKey": "staging",
         *           "featureKey": "new-checkout"
         *         }
         *       ]
         *     }
         */
        Audience: {
            conditions: components["schemas"]["Condition"][];
            environmentKey?: components["schemas"]["Key"] | null;
            key: components["schemas"]["Key"];
            name: string;
            /** @description Where rules name it; only in the answer that reads one audience. */
            usedIn?: components["schemas"]["AudienceUse"][] | null;
        };
        /**
         * @description What changes an audience; what is left out stays.
         * @example {
         *       "conditions": [
         *         {
         *           "attribute": "plan",
         *           "operator": "equals",
         *           "values": [
         *             "team"
         *           ]
         *         }
         *       ]
         *     }
         */
        AudienceEdit: {
            conditions?: components["schemas"]["Condition"][] | null;
            name?: components["schemas"]["Name"] | null;
        };
        /** @description A feature's targeting in an environment, one of whose rules names an audience. */
        AudienceUse: {
            environmentKey: components["schemas"]["Key"];
            featureKey: components["schemas"]["Key"];
        };
        /** @description A rule uses an audience that only the source environment has. */
        AudiencesCopiedInlineChip: {
            /** @description In the order of the rules. */
            audiences: components["schemas"]["InlinedAudience"][];
            /** @description `Audience copied inline`. */
            label: string;
        };
        /**
         * @description An entry of the audit log.
         * @example {
         *       "action": "project.update",
         *       "after": {
         *         "key": "shop",
         *         "name": "Store"
         *       },
         *       "at": "2026-11-21T10:42:01Z",
         *       "before": {
         *         "key": "shop",
         *         "name": "Shop"
         *       },
         *       "id": "01938f2a-6f40-7c3d-9b1e-4a5d6c7e8f90",
         *       "resource": "projects/shop",
         *       "userId": "01938f2a-6f40-7d10-8c2f-1b2a3c4d5e6f",
         *       "userName": "Edda Okafor"
         *     }
         */
        AuditEntry: {
            /** @description What was done, e.g. `targeting.update`. */
            action: string;
            /** @description As it is; null when it was deleted. */
            after?: Record<string, never> | null;
            at: components["schemas"]["Time"];
            /** @description As it was; null when it was created. */
            before?: Record<string, never> | null;
            id: string;
            /** @description To what: its path below `/api/v1`. */
            resource: string;
            userId: string;
            /** @description The name that the person had then. */
            userName: string;
        };
        /** @description What waits to be delivered. */
        BacklogView: {
            /** @description More than 10,000 wait. */
            backlogged: boolean;
            oldestChangeAt?: components["schemas"]["Time"] | null;
            /**
             * Format: int64
             * @description How many changes.
             */
            waiting: number;
        };
        /** @description The feature cannot be copied into the target. */
        CannotCopyChip: {
            /** @description The change that waits. */
            approvalId: string;
            /** @description As a copy gives it. */
            code: string;
            /** @description `Cannot copy`. */
            label: string;
            /** @description In plain words. */
            reason: string;
        };
        /**
         * @description Where a change of targeting comes from.
         * @enum {string}
         */
        ChangeKind: "edit" | "copy";
        /** @description What is to be known before copying the feature from the source to the target; each only where it applies. */
        Chips: {
            approvalRequired?: components["schemas"]["ApprovalRequiredChip"] | null;
            audiencesCopiedInline?: components["schemas"]["AudiencesCopiedInlineChip"] | null;
            cannotCopy?: components["schemas"]["CannotCopyChip"] | null;
            pipeline?: components["schemas"]["PipelineChip"] | null;
        };
        Comment: string;
        /** @description One of the two environments. */
        ComparedEnvironment: {
            /** @description Random; new after a restore. Versions of two epochs cannot be compared. */
            epoch: string;
            key: components["schemas"]["Key"];
            name: string;
            /** @description Changing targeting here takes a production editor. */
            production: boolean;
            /**
             * Format: int64
             * @description Raised by each change of what clients get.
             */
            version: number;
        };
        /** @description A feature in both environments. */
        ComparedFeature: {
            chips: components["schemas"]["Chips"];
            /** @description In what they differ, in this order; empty: they are identical. */
            differences: components["schemas"]["Difference"][];
            key: components["schemas"]["Key"];
            lifecycle: components["schemas"]["Lifecycle"];
            name: string;
            source: components["schemas"]["ComparedTargeting"];
            target: components["schemas"]["ComparedTargeting"];
        };
        /** @description A feature's targeting in one of the two. The rules are there whether they are in force or not. */
        ComparedTargeting: {
            enabled: boolean;
            offVariantKey: components["schemas"]["Key"];
            rules: components["schemas"]["Rule"][];
            /**
             * Format: int64
             * @description The environment's version that this targeting came with.
             */
            version: number;
        };
        /**
         * @description Two environments side by side, as of one moment.
         * @example {
         *       "different": 1,
         *       "features": [
         *         {
         *           "chips": {
         *             "approvalRequired": {
         *               "label": "Approval required",
         *               "reasons": [
         *                 "environment",
         *                 "phase"
         *               ]
         *             },
         *             "audiencesCopiedInline": {
         *               "audiences": [
         *                 {
         *                   "key": "team-plans",
         *                   "name": "Team plans"
         *                 }
         *               ],
         *               "label": "Audience copied inline"
         *             },
         *             "pipeline": {
         *               "key": "release",
         *               "label": "Pipeline: Release",
         *               "name": "Release"
         *             }
         *           },
         *           "differences": [
         *             "On/off state",
         *             "Targeting rules"
         *           ],
         *           "key": "new-checkout",
         *           "lifecycle": "Active",
         *           "name": "New checkout",
         *           "source": {
         *             "enabled": true,
         *             "offVariantKey": "off",
         *             "rules": [
         *               {
         *                 "audienceKey": "team-plans",
         *                 "name": "Team",
         *                 "splits": [
         *                   {
         *                     "percentage": 100,
         *                     "variantKey": "on"
         *                   }
         *                 ]
         *               }
         *             ],
         *             "version": 16
         *           },
         *           "target": {
         *             "enabled": false,
         *             "offVariantKey": "off",
         *             "rules": [
         *               {
         *                 "conditions": [],
         *                 "name": "Everybody",
         *                 "splits": [
         *                   {
         *                     "percentage": 100,
         *                     "variantKey": "on"
         *                   }
         *                 ]
         *               }
         *             ],
         *             "version": 3
         *           }
         *         }
         *       ],
         *       "identical": 0,
         *       "source": {
         *         "epoch": "8c2f1b2a3c4d5e6f",
         *         "key": "staging",
         *         "name": "Staging",
         *         "production": false,
         *         "version": 17
         *       },
         *       "target": {
         *         "epoch": "4a5d6c7e8f901938",
         *         "key": "production",
         *         "name": "Production",
         *         "production": true,
         *         "version": 12
         *       }
         *     }
         */
        Comparison: {
            /** @description How many features differ. */
            different: number;
            /** @description All that are not archived, by key. */
            features: components["schemas"]["ComparedFeature"][];
            /** @description How many do not. */
            identical: number;
            source: components["schemas"]["ComparedEnvironment"];
            target: components["schemas"]["ComparedEnvironment"];
        };
        /** @description A condition on one attribute of the user. */
        Condition: {
            /** @description The attribute's name. */
            attribute: string;
            /** @description How it is compared. */
            operator: components["schemas"]["Operator"];
            /** @description What it is compared with. All operators but `in` and `notIn` use only the first value. */
            values: components["schemas"]["Value"][];
        };
        /** @description How the destination is reached. */
        Configuration: {
            analytics: components["schemas"]["AnalyticsConfiguration"];
        };
        /** @description The outcome of one feature. */
        CopiedFeature: {
            /** @description Of `PENDING_APPROVAL`: the approval that it waits for. A dry run asks for none. */
            approvalId?: string | null;
            /** @description Of `PENDING_APPROVAL`: what requires it. */
            approvalReasons?: components["schemas"]["ApprovalReason"][] | null;
            /** @description Keys of the source's audiences whose conditions stand inline in what was copied. */
            audiencesCopiedInline: components["schemas"]["Key"][];
            featureKey: string;
            outcome: components["schemas"]["OutcomeKind"];
            reason?: components["schemas"]["SkipReason"] | null;
            /**
             * Format: int64
             * @description Of `APPLIED`: the version of the target's targeting. A dry run has none.
             */
            version?: number | null;
        };
        /**
         * @description What is to be copied.
         * @example {
         *       "comment": "As tested this week.",
         *       "featureKeys": [
         *         "new-checkout"
         *       ],
         *       "settings": {
         *         "enabled": true,
         *         "offVariantKey": true,
         *         "rules": true
         *       },
         *       "source": "staging",
         *       "target": "production"
         *     }
         */
        CopyBody: {
            comment?: components["schemas"]["Comment"] | null;
            /** @description Changes nothing, and tells what would happen. */
            dryRun?: boolean;
            /** @description Keys of the features; one that comes again counts once, at its first place. */
            featureKeys: string[];
            /** @description At least one; the target keeps its own of those that are not selected. */
            settings: components["schemas"]["CopySettings"];
            /** @description Key of the environment that it comes from. */
            source: components["schemas"]["Key"];
            /** @description Key of the environment that it goes to. */
            target: components["schemas"]["Key"];
            /**
             * @description Versions of the target's targetings as the caller saw them, by feature key: a feature whose version is another by now
             *     is skipped.
             */
            targetVersions?: {
                [key: string]: number;
            };
        };
        /**
         * @description What became of each feature.
         * @example {
         *       "dryRun": false,
         *       "results": [
         *         {
         *           "approvalId": "01938f2a-6f40-7c3d-9b1e-4a5d6c7e8f90",
         *           "approvalReasons": [
         *             {
         *               "gate": "environment",
         *               "phaseName": null,
         *               "pipelineKey": null,
         *               "pipelineName": null
         *             }
         *           ],
         *           "audiencesCopiedInline": [],
         *           "featureKey": "new-checkout",
         *           "outcome": "PENDING_APPROVAL"
         *         }
         *       ]
         *     }
         */
        CopyResult: {
            dryRun: boolean;
            /** @description In the order of the request. */
            results: components["schemas"]["CopiedFeature"][];
        };
        /** @description The settings to copy. The target keeps its own values of the others. */
        CopySettings: {
            /**
             * @description The on/off state.
             * @default false
             */
            enabled: boolean;
            /**
             * @description The off variant.
             * @default false
             */
            offVariantKey: boolean;
            /**
             * @description The targeting rules.
             * @default false
             */
            rules: boolean;
        };
        /** @description The phase of its pipeline that a feature is in. */
        CurrentPhase: {
            environmentKey: components["schemas"]["Key"];
            name: string;
        };
        /**
         * @description What goes with a decision.
         * @example {
         *       "comment": "Looks right."
         *     }
         */
        Decision: {
            comment?: components["schemas"]["Remark"] | null;
        };
        /**
         * @description A delivery: what waits, is under way, or is over.
         * @example {
         *       "attempts": [
         *         {
         *           "at": "2026-11-21T10:42:02Z",
         *           "detail": "500 Internal Server Error",
         *           "status": 500
         *         },
         *         {
         *           "at": "2026-11-21T10:42:04Z",
         *           "detail": "500 Internal Server Error",
         *           "status": 500
         *         }
         *       ],
         *       "changedAt": "2026-11-21T10:42:01Z",
         *       "environmentKey": "production",
         *       "featureKey": "new-checkout",
         *       "id": 17,
         *       "projectKey": "shop",
         *       "settledAt": "2026-11-21T10:42:04Z",
         *       "state": "failed",
         *       "test": false,
         *       "userName": "Ada"
         *     }
         */
        Delivery: {
            attempts: components["schemas"]["DeliveryAttempt"][];
            /** @description When the change was made. */
            changedAt: components["schemas"]["Time"];
            environmentKey: string;
            featureKey: string;
            /**
             * Format: int64
             * @description Its place in the order of changes.
             */
            id: number;
            projectKey: string;
            settledAt?: components["schemas"]["Time"] | null;
            state: components["schemas"]["DeliveryState"];
            /** @description Somebody sent it as a test event. */
            test: boolean;
            /** @description Who made the change. */
            userName: string;
        };
        /** @description An attempt to deliver. */
        DeliveryAttempt: {
            /** @description When it was over. */
            at: components["schemas"]["Time"];
            /** @description What the destination answered, or why there was no answer. */
            detail: string;
            /**
             * Format: int32
             * @description The HTTP status; null when there was no answer.
             */
            status?: number | null;
        };
        /**
         * @description Where a delivery stands.
         * @enum {string}
         */
        DeliveryState: "waiting" | "delivered" | "failed";
        Description: string;
        /** @enum {string} */
        Difference: "On/off state" | "Off variant" | "Targeting rules";
        /**
         * @description An environment.
         * @example {
         *       "allowedOrigins": [
         *         "https://shop.example"
         *       ],
         *       "approvalRequired": false,
         *       "id": "01938f2a-6f40-7c3d-9b1e-4a5d6c7e8f90",
         *       "key": "canary",
         *       "name": "Canary",
         *       "production": false,
         *       "version": 17
         *     }
         */
        Environment: {
            /** @description The origins whose pages may use the client keys; empty: all. */
            allowedOrigins: string[];
            /** @description Every change of targeting here is held for approval. */
            approvalRequired: boolean;
            id: string;
            key: components["schemas"]["Key"];
            name: string;
            /** @description Changing targeting here takes a production editor. */
            production: boolean;
            /**
             * Format: int64
             * @description Raised by each change of what clients get.
             */
            version: number;
        };
        /**
         * @description What changes an environment; what is left out stays.
         * @example {
         *       "approvalRequired": true
         *     }
         */
        EnvironmentEdit: {
            allowedOrigins?: string[] | null;
            approvalRequired?: boolean | null;
            name?: components["schemas"]["Name"] | null;
            production?: boolean | null;
        };
        /**
         * @description A feature.
         * @example {
         *       "approvalRequired": false,
         *       "description": "One page instead of three.",
         *       "environments": [
         *         {
         *           "enabled": true,
         *           "environmentKey": "staging",
         *           "offVariantKey": "off",
         *           "pendingApprovalId": null,
         *           "rules": 2,
         *           "version": 17
         *         }
         *       ],
         *       "key": "express-checkout",
         *       "lifecycle": "Draft",
         *       "name": "Express checkout",
         *       "phase": {
         *         "environmentKey": "staging",
         *         "name": "Try"
         *       },
         *       "pipelineKey": "release",
         *       "tags": [
         *         "checkout"
         *       ],
         *       "variants": [
         *         "on",
         *         "off"
         *       ]
         *     }
         */
        Feature: {
            /** @description Every change of its targeting is held for approval. */
            approvalRequired: boolean;
            description: string;
            /** @description How it stands in each environment, in a list with `environments=true`. */
            environments?: components["schemas"]["FeatureInEnvironment"][] | null;
            key: components["schemas"]["Key"];
            lifecycle: components["schemas"]["Lifecycle"];
            name: string;
            phase?: components["schemas"]["CurrentPhase"] | null;
            pipelineKey?: components["schemas"]["Key"] | null;
            tags: string[];
            variants: components["schemas"]["Key"][];
        };
        /**
         * @description What changes a feature; what is left out stays.
         * @example {
         *       "lifecycle": "Active",
         *       "tags": [
         *         "checkout",
         *         "beta"
         *       ]
         *     }
         */
        FeatureEdit: {
            /** @description Taking it away is an administrator's. */
            approvalRequired?: boolean | null;
            description?: components["schemas"]["Description"] | null;
            lifecycle?: components["schemas"]["Lifecycle"] | null;
            name?: components["schemas"]["Name"] | null;
            pipelineKey?: components["schemas"]["Key"] | null;
            tags?: components["schemas"]["Tag"][] | null;
            /** @description At least two. Variants that are served somewhere must stay. */
            variants?: components["schemas"]["Key"][] | null;
        };
        /** @description How a feature stands in an environment. */
        FeatureInEnvironment: {
            enabled: boolean;
            environmentKey: components["schemas"]["Key"];
            offVariantKey: components["schemas"]["Key"];
            /** @description The change that waits for approval there; null: none. */
            pendingApprovalId?: string | null;
            /** @description How many rules there are. */
            rules: number;
            /**
             * Format: int64
             * @description The version of the targeting, for If-Match.
             */
            version: number;
        };
        /** @description Which changes are delivered. */
        Filter: {
            /** @description Ids of environments. Empty: changes in all of them. */
            environmentIds?: string[];
        };
        /**
         * @description What can require an approval.
         * @enum {string}
         */
        GateKind: "environment" | "feature" | "phase";
        /**
         * @description How often a goal was reached; a goal that is sent again counts once.
         * @example {
         *       "count": 4,
         *       "features": {
         *         "new-checkout": {
         *           "off": 1,
         *           "on": 3
         *         }
         *       },
         *       "key": "purchase"
         *     }
         */
        Goal: {
            /** Format: int64 */
            count: number;
            /** @description How often while a feature had a variant: by feature, then by variant. */
            features: {
                [key: string]: {
                    [key: string]: number;
                };
            };
            key: string;
        };
        /** @description An audience whose conditions a copy writes into the rule. */
        InlinedAudience: {
            key: components["schemas"]["Key"];
            name: string;
        };
        /**
         * @description What kind of destination it is.
         * @enum {string}
         */
        IntegrationType: "analytics";
        /** @description One violation, worded for the person who wrote the rules. */
        Invalid: {
            /** @description What is wrong and what would be right, in plain words. */
            detail: string;
            /** @description JSON pointer within what was validated, such as `/rules/0/splits`. */
            pointer: string;
        };
        /**
         * @description A key: ASCII letters, digits, `-`, `_` and `.`, beginning with a letter or digit, at most 100 characters.
         * @example new-checkout
         */
        Key: string;
        /**
         * @description A feature's lifecycle status. Drafts evaluate like active features; archived ones are not evaluated and not sent.
         * @enum {string}
         */
        Lifecycle: "Draft" | "Active" | "Archived";
        /**
         * @description A page of a list.
         * @example {
         *       "items": [
         *         {
         *           "createdAt": "2026-11-21T10:42:01Z",
         *           "expiresAt": "2099-01-01T00:00:00Z",
         *           "hint": "x7qk",
         *           "id": "01938f2a-6f40-7c3d-9b1e-4a5d6c7e8f90",
         *           "lastUsedAt": "2026-11-21T11:00:00Z",
         *           "name": "Deploy robot",
         *           "userId": "01938f2a-6f40-7d10-8c2f-1b2a3c4d5e6f"
         *         }
         *       ],
         *       "nextCursor": "c2hvcA"
         *     }
         */
        List_AccessToken: {
            /** @description In the list's order. */
            items: {
                createdAt: components["schemas"]["Time"];
                expiresAt?: components["schemas"]["Time"] | null;
                /** @description The token's last characters. */
                hint: string;
                id: string;
                lastUsedAt?: components["schemas"]["Time"] | null;
                name: string;
                /** @description The token itself, in the answer that creates it and never again. */
                token?: string | null;
                userId: string;
            }[];
            /** @description Asks for the next page; missing on the last. */
            nextCursor?: string | null;
        };
        /**
         * @description A page of a list.
         * @example {
         *       "items": [
         *         {
         *           "comment": "Half of Denmark, for the weekend.",
         *           "decidedAt": null,
         *           "decidedBy": null,
         *           "environmentKey": "production",
         *           "featureKey": "new-checkout",
         *           "id": "01938f2a-6f40-7c3d-9b1e-4a5d6c7e8f90",
         *           "kind": "edit",
         *           "reasons": [
         *             {
         *               "gate": "environment",
         *               "phaseName": null,
         *               "pipelineKey": null,
         *               "pipelineName": null
         *             }
         *           ],
         *           "requestedAt": "2026-11-21T10:42:01Z",
         *           "requestedBy": {
         *             "id": "01938f2a-6f40-7d10-8c2f-1b2a3c4d5e6f",
         *             "name": "Edda Okafor"
         *           },
         *           "sourceEnvironmentKey": null,
         *           "state": "pending",
         *           "targetVersion": 17
         *         }
         *       ],
         *       "nextCursor": "c2hvcA"
         *     }
         */
        List_ApprovalSummary: {
            /** @description In the list's order. */
            items: {
                /** @description What the requester said of it. */
                comment: string;
                decidedAt?: components["schemas"]["Time"] | null;
                decidedBy?: components["schemas"]["Person"] | null;
                environmentKey: components["schemas"]["Key"];
                featureKey: components["schemas"]["Key"];
                id: string;
                kind: components["schemas"]["ChangeKind"];
                /** @description What required the approval. */
                reasons: components["schemas"]["ApprovalReason"][];
                requestedAt: components["schemas"]["Time"];
                requestedBy: components["schemas"]["Person"];
                sourceEnvironmentKey?: components["schemas"]["Key"] | null;
                state: components["schemas"]["ApprovalState"];
                /**
                 * Format: int64
                 * @description The version of the targeting that the change was made for.
                 */
                targetVersion: number;
            }[];
            /** @description Asks for the next page; missing on the last. */
            nextCursor?: string | null;
        };
        /**
         * @description A page of a list.
         * @example {
         *       "items": [
         *         {
         *           "conditions": [
         *             {
         *               "attribute": "plan",
         *               "operator": "in",
         *               "values": [
         *                 "pro",
         *                 "team"
         *               ]
         *             }
         *           ],
         *           "environmentKey": null,
         *           "key": "team-plans",
         *           "name": "Teams",
         *           "usedIn": [
         *             {
         *               "environmentKey": "staging",
         *               "featureKey": "new-checkout"
         *             }
         *           ]
         *         }
         *       ],
         *       "nextCursor": "c2hvcA"
         *     }
         */
        List_Audience: {
            /** @description In the list's order. */
            items: {
                conditions: components["schemas"]["Condition"][];
                environmentKey?: components["schemas"]["Key"] | null;
                key: components["schemas"]["Key"];
                name: string;
                /** @description Where rules name it; only in the answer that reads one audience. */
                usedIn?: components["schemas"]["AudienceUse"][] | null;
            }[];
            /** @description Asks for the next page; missing on the last. */
            nextCursor?: string | null;
        };
        /**
         * @description A page of a list.
         * @example {
         *       "items": [
         *         {
         *           "action": "project.update",
         *           "after": {
         *             "key": "shop",
         *             "name": "Store"
         *           },
         *           "at": "2026-11-21T10:42:01Z",
         *           "before": {
         *             "key": "shop",
         *             "name": "Shop"
         *           },
         *           "id": "01938f2a-6f40-7c3d-9b1e-4a5d6c7e8f90",
         *           "resource": "projects/shop",
         *           "userId": "01938f2a-6f40-7d10-8c2f-1b2a3c4d5e6f",
         *           "userName": "Edda Okafor"
         *         }
         *       ],
         *       "nextCursor": "c2hvcA"
         *     }
         */
        List_AuditEntry: {
            /** @description In the list's order. */
            items: {
                /** @description What was done, e.g. `targeting.update`. */
                action: string;
                /** @description As it is; null when it was deleted. */
                after?: Record<string, never> | null;
                at: components["schemas"]["Time"];
                /** @description As it was; null when it was created. */
                before?: Record<string, never> | null;
                id: string;
                /** @description To what: its path below `/api/v1`. */
                resource: string;
                userId: string;
                /** @description The name that the person had then. */
                userName: string;
            }[];
            /** @description Asks for the next page; missing on the last. */
            nextCursor?: string | null;
        };
        /**
         * @description A page of a list.
         * @example {
         *       "items": [
         *         {
         *           "attempts": [
         *             {
         *               "at": "2026-11-21T10:42:02Z",
         *               "detail": "500 Internal Server Error",
         *               "status": 500
         *             },
         *             {
         *               "at": "2026-11-21T10:42:04Z",
         *               "detail": "500 Internal Server Error",
         *               "status": 500
         *             }
         *           ],
         *           "changedAt": "2026-11-21T10:42:01Z",
         *           "environmentKey": "production",
         *           "featureKey": "new-checkout",
         *           "id": 17,
         *           "projectKey": "shop",
         *           "settledAt": "2026-11-21T10:42:04Z",
         *           "state": "failed",
         *           "test": false,
         *           "userName": "Ada"
         *         }
         *       ],
         *       "nextCursor": "c2hvcA"
         *     }
         */
        List_Delivery: {
            /** @description In the list's order. */
            items: {
                attempts: components["schemas"]["DeliveryAttempt"][];
                /** @description When the change was made. */
                changedAt: components["schemas"]["Time"];
                environmentKey: string;
                featureKey: string;
                /**
                 * Format: int64
                 * @description Its place in the order of changes.
                 */
                id: number;
                projectKey: string;
                settledAt?: components["schemas"]["Time"] | null;
                state: components["schemas"]["DeliveryState"];
                /** @description Somebody sent it as a test event. */
                test: boolean;
                /** @description Who made the change. */
                userName: string;
            }[];
            /** @description Asks for the next page; missing on the last. */
            nextCursor?: string | null;
        };
        /**
         * @description A page of a list.
         * @example {
         *       "items": [
         *         {
         *           "allowedOrigins": [
         *             "https://shop.example"
         *           ],
         *           "approvalRequired": false,
         *           "id": "01938f2a-6f40-7c3d-9b1e-4a5d6c7e8f90",
         *           "key": "canary",
         *           "name": "Canary",
         *           "production": false,
         *           "version": 17
         *         }
         *       ],
         *       "nextCursor": "c2hvcA"
         *     }
         */
        List_Environment: {
            /** @description In the list's order. */
            items: {
                /** @description The origins whose pages may use the client keys; empty: all. */
                allowedOrigins: string[];
                /** @description Every change of targeting here is held for approval. */
                approvalRequired: boolean;
                id: string;
                key: components["schemas"]["Key"];
                name: string;
                /** @description Changing targeting here takes a production editor. */
                production: boolean;
                /**
                 * Format: int64
                 * @description Raised by each change of what clients get.
                 */
                version: number;
            }[];
            /** @description Asks for the next page; missing on the last. */
            nextCursor?: string | null;
        };
        /**
         * @description A page of a list.
         * @example {
         *       "items": [
         *         {
         *           "approvalRequired": false,
         *           "description": "One page instead of three.",
         *           "environments": [
         *             {
         *               "enabled": true,
         *               "environmentKey": "staging",
         *               "offVariantKey": "off",
         *               "pendingApprovalId": null,
         *               "rules": 2,
         *               "version": 17
         *             }
         *           ],
         *           "key": "express-checkout",
         *           "lifecycle": "Draft",
         *           "name": "Express checkout",
         *           "phase": {
         *             "environmentKey": "staging",
         *             "name": "Try"
         *           },
         *           "pipelineKey": "release",
         *           "tags": [
         *             "checkout"
         *           ],
         *           "variants": [
         *             "on",
         *             "off"
         *           ]
         *         }
         *       ],
         *       "nextCursor": "c2hvcA"
         *     }
         */
        List_Feature: {
            /** @description In the list's order. */
            items: {
                /** @description Every change of its targeting is held for approval. */
                approvalRequired: boolean;
                description: string;
                /** @description How it stands in each environment, in a list with `environments=true`. */
                environments?: components["schemas"]["FeatureInEnvironment"][] | null;
                key: components["schemas"]["Key"];
                lifecycle: components["schemas"]["Lifecycle"];
                name: string;
                phase?: components["schemas"]["CurrentPhase"] | null;
                pipelineKey?: components["schemas"]["Key"] | null;
                tags: string[];
                variants: components["schemas"]["Key"][];
            }[];
            /** @description Asks for the next page; missing on the last. */
            nextCursor?: string | null;
        };
        /**
         * @description A page of a list.
         * @example {
         *       "items": [
         *         {
         *           "count": 4,
         *           "features": {
         *             "new-checkout": {
         *               "off": 1,
         *               "on": 3
         *             }
         *           },
         *           "key": "purchase"
         *         }
         *       ],
         *       "nextCursor": "c2hvcA"
         *     }
         */
        List_Goal: {
            /** @description In the list's order. */
            items: {
                /** Format: int64 */
                count: number;
                /** @description How often while a feature had a variant: by feature, then by variant. */
                features: {
                    [key: string]: {
                        [key: string]: number;
                    };
                };
                key: string;
            }[];
            /** @description Asks for the next page; missing on the last. */
            nextCursor?: string | null;
        };
        /**
         * @description A page of a list.
         * @example {
         *       "items": [
         *         {
         *           "backlog": {
         *             "backlogged": false,
         *             "oldestChangeAt": null,
         *             "waiting": 0
         *           },
         *           "configuration": {
         *             "analytics": {
         *               "filter": {
         *                 "environmentIds": []
         *               },
         *               "region": "EU"
         *             }
         *           },
         *           "delivering": true,
         *           "enabled": true,
         *           "id": "019aa5c0-7e2f-7c3e-8a55-0c6a5b3f1d20",
         *           "installed": true,
         *           "lastDeliveryAt": "2026-11-21T10:42:02Z",
         *           "lastDeliveryDetail": "200 OK",
         *           "lastDeliverySuccess": true,
         *           "type": "analytics"
         *         }
         *       ],
         *       "nextCursor": "c2hvcA"
         *     }
         */
        List_OutboundIntegration: {
            /** @description In the list's order. */
            items: {
                backlog: components["schemas"]["BacklogView"];
                configuration: components["schemas"]["Configuration"];
                /** @description It is enabled, and the last delivery did not fail. */
                delivering: boolean;
                enabled: boolean;
                id: string;
                /** @description The integration exists. */
                installed: boolean;
                lastDeliveryAt?: components["schemas"]["Time"] | null;
                /** @description What the destination answered, with the HTTP status, or why there was no answer. */
                lastDeliveryDetail?: string | null;
                lastDeliverySuccess?: boolean | null;
                type: components["schemas"]["IntegrationType"];
            }[];
            /** @description Asks for the next page; missing on the last. */
            nextCursor?: string | null;
        };
        /**
         * @description A page of a list.
         * @example {
         *       "items": [
         *         {
         *           "key": "release",
         *           "name": "Release",
         *           "phases": [
         *             {
         *               "approvalRequired": false,
         *               "environmentKey": "staging",
         *               "name": "Try"
         *             },
         *             {
         *               "approvalRequired": true,
         *               "environmentKey": "production",
         *               "name": "Roll out"
         *             }
         *           ]
         *         }
         *       ],
         *       "nextCursor": "c2hvcA"
         *     }
         */
        List_Pipeline: {
            /** @description In the list's order. */
            items: {
                key: components["schemas"]["Key"];
                name: string;
                /** @description In the order in which features pass them. */
                phases: components["schemas"]["Phase"][];
            }[];
            /** @description Asks for the next page; missing on the last. */
            nextCursor?: string | null;
        };
        /**
         * @description A page of a list.
         * @example {
         *       "items": [
         *         {
         *           "key": "app",
         *           "name": "App"
         *         }
         *       ],
         *       "nextCursor": "c2hvcA"
         *     }
         */
        List_Project: {
            /** @description In the list's order. */
            items: {
                key: components["schemas"]["Key"];
                name: string;
            }[];
            /** @description Asks for the next page; missing on the last. */
            nextCursor?: string | null;
        };
        /**
         * @description A page of a list.
         * @example {
         *       "items": [
         *         {
         *           "createdAt": "2026-11-21T10:42:01Z",
         *           "hint": "x7qk",
         *           "id": "01938f2a-6f40-7c3d-9b1e-4a5d6c7e8f90",
         *           "name": "Web shop"
         *         }
         *       ],
         *       "nextCursor": "c2hvcA"
         *     }
         */
        List_SdkKey: {
            /** @description In the list's order. */
            items: {
                createdAt: components["schemas"]["Time"];
                /** @description The key's last characters. */
                hint: string;
                id: string;
                /** @description The key itself, in the answer that creates it and never again. */
                key?: string | null;
                name: string;
            }[];
            /** @description Asks for the next page; missing on the last. */
            nextCursor?: string | null;
        };
        /**
         * @description A page of a list.
         * @example {
         *       "items": [
         *         {
         *           "id": "01938f2a-6f40-7d10-8c2f-1b2a3c4d5e6f",
         *           "name": "Edda Okafor",
         *           "role": "editor"
         *         }
         *       ],
         *       "nextCursor": "c2hvcA"
         *     }
         */
        List_User: {
            /** @description In the list's order. */
            items: {
                id: string;
                name: string;
                role: components["schemas"]["Role"];
            }[];
            /** @description Asks for the next page; missing on the last. */
            nextCursor?: string | null;
        };
        Name: string;
        /**
         * @description What makes a token.
         * @example {
         *       "expiresAt": "2099-01-01T00:00:00Z",
         *       "name": "Deploy robot"
         *     }
         */
        NewAccessToken: {
            expiresAt?: components["schemas"]["Time"] | null;
            name: components["schemas"]["Name"];
            userId?: components["schemas"]["Text"] | null;
        };
        /** @description How an analytics service is reached, as it is written. */
        NewAnalyticsConfiguration: {
            /** @description The analytics project's API key. Blank or left out keeps the stored one. */
            apiKey?: string | null;
            filter?: components["schemas"]["Filter"] | null;
            /** @description The region of the analytics project: in the other one its keys are refused. */
            region: components["schemas"]["Region"];
            /** @description The analytics project's secret key. Blank or left out keeps the stored one. */
            secretKey?: string | null;
        };
        /**
         * @description What creates an audience.
         * @example {
         *       "conditions": [
         *         {
         *           "attribute": "plan",
         *           "operator": "in",
         *           "values": [
         *             "pro",
         *             "team"
         *           ]
         *         }
         *       ],
         *       "key": "team-plans",
         *       "name": "Teams"
         *     }
         */
        NewAudience: {
            conditions: components["schemas"]["Condition"][];
            environmentKey?: components["schemas"]["Key"] | null;
            key: components["schemas"]["Key"];
            name: components["schemas"]["Name"];
        };
        /**
         * @description What somebody says about a change.
         * @example {
         *       "comment": "Why Denmark first?"
         *     }
         */
        NewComment: {
            comment: components["schemas"]["Remark"];
        };
        /** @description How the destination is reached, as it is written. */
        NewConfiguration: {
            analytics: components["schemas"]["NewAnalyticsConfiguration"];
        };
        /**
         * @description What creates an environment.
         * @example {
         *       "allowedOrigins": [
         *         "https://shop.example"
         *       ],
         *       "key": "canary",
         *       "name": "Canary",
         *       "production": false
         *     }
         */
        NewEnvironment: {
            allowedOrigins?: string[];
            approvalRequired?: boolean;
            key: components["schemas"]["Key"];
            name: components["schemas"]["Name"];
            production?: boolean;
        };
        /**
         * @description What creates a feature.
         * @example {
         *       "description": "One page instead of three.",
         *       "key": "express-checkout",
         *       "name": "Express checkout",
         *       "tags": [
         *         "checkout"
         *       ]
         *     }
         */
        NewFeature: {
            approvalRequired?: boolean;
            description?: components["schemas"]["Description"];
            key: components["schemas"]["Key"];
            lifecycle?: components["schemas"]["Lifecycle"];
            name: components["schemas"]["Name"];
            pipelineKey?: components["schemas"]["Key"] | null;
            tags?: components["schemas"]["Tag"][];
            /** @description At least two; left out: `on` and `off`. */
            variants?: components["schemas"]["Key"][] | null;
        };
        /**
         * @description What an integration is set to. A creation needs both keys.
         * @example {
         *       "configuration": {
         *         "analytics": {
         *           "apiKey": "<API_KEY>",
         *           "filter": {
         *             "environmentIds": []
         *           },
         *           "region": "EU",
         *           "secretKey": "<SECRET_KEY>"
         *         }
         *       },
         *       "enabled": true,
         *       "type": "analytics"
         *     }
         */
        NewOutboundIntegration: {
            configuration: components["schemas"]["NewConfiguration"];
            enabled: boolean;
            type: components["schemas"]["IntegrationType"];
        };
        /** @description A phase of a pipeline, as it is written. */
        NewPhase: {
            approvalRequired?: boolean;
            environmentKey: components["schemas"]["Key"];
            name: components["schemas"]["Name"];
        };
        /**
         * @description What creates a pipeline.
         * @example {
         *       "key": "release",
         *       "name": "Release",
         *       "phases": [
         *         {
         *           "approvalRequired": false,
         *           "environmentKey": "staging",
         *           "name": "Try"
         *         },
         *         {
         *           "approvalRequired": true,
         *           "environmentKey": "production",
         *           "name": "Roll out"
         *         }
         *       ]
         *     }
         */
        NewPipeline: {
            key: components["schemas"]["Key"];
            name: components["schemas"]["Name"];
            phases: components["schemas"]["NewPhase"][];
        };
        /**
         * @description What creates a project.
         * @example {
         *       "key": "app",
         *       "name": "App"
         *     }
         */
        NewProject: {
            key: components["schemas"]["Key"];
            name: components["schemas"]["Name"];
        };
        /**
         * @description What makes a key.
         * @example {
         *       "name": "Web shop"
         *     }
         */
        NewSdkKey: {
            name: components["schemas"]["Name"];
        };
        /**
         * @description What adds a person.
         * @example {
         *       "name": "Edda Okafor",
         *       "role": "editor"
         *     }
         */
        NewUser: {
            name: components["schemas"]["Name"];
            role: components["schemas"]["Role"];
        };
        /**
         * @description What moves a feature to its next phase.
         * @example {}
         */
        NextPhase: {
            fromEnvironmentKey?: components["schemas"]["Key"] | null;
        };
        /** @enum {string} */
        Operator: "equals" | "contains" | "startsWith" | "endsWith" | "matches" | "in" | "notIn" | "before" | "after" | "greaterThan" | "greaterThanOrEqual" | "lessThan" | "lessThanOrEqual";
        /**
         * @description An organisation.
         * @example {
         *       "name": "Corner shop"
         *     }
         */
        Organisation: {
            name: string;
        };
        /**
         * @description What changes an organisation; what is left out stays.
         * @example {
         *       "name": "Corner shop"
         *     }
         */
        OrganisationEdit: {
            name?: components["schemas"]["Name"] | null;
        };
        /**
         * @description An outbound integration.
         * @example {
         *       "backlog": {
         *         "backlogged": false,
         *         "oldestChangeAt": null,
         *         "waiting": 0
         *       },
         *       "configuration": {
         *         "analytics": {
         *           "filter": {
         *             "environmentIds": []
         *           },
         *           "region": "EU"
         *         }
         *       },
         *       "delivering": true,
         *       "enabled": true,
         *       "id": "019aa5c0-7e2f-7c3e-8a55-0c6a5b3f1d20",
         *       "installed": true,
         *       "lastDeliveryAt": "2026-11-21T10:42:02Z",
         *       "lastDeliveryDetail": "200 OK",
         *       "lastDeliverySuccess": true,
         *       "type": "analytics"
         *     }
         */
        OutboundIntegration: {
            backlog: components["schemas"]["BacklogView"];
            configuration: components["schemas"]["Configuration"];
            /** @description It is enabled, and the last delivery did not fail. */
            delivering: boolean;
            enabled: boolean;
            id: string;
            /** @description The integration exists. */
            installed: boolean;
            lastDeliveryAt?: components["schemas"]["Time"] | null;
            /** @description What the destination answered, with the HTTP status, or why there was no answer. */
            lastDeliveryDetail?: string | null;
            lastDeliverySuccess?: boolean | null;
            type: components["schemas"]["IntegrationType"];
        };
        /**
         * @description What became of a feature.
         * @enum {string}
         */
        OutcomeKind: "APPLIED" | "PENDING_APPROVAL" | "SKIPPED";
        /** @description A percentage in steps of 0.001. */
        Percentage: number;
        /** @description A person, by the name that they had then. */
        Person: {
            id: string;
            name: string;
        };
        /** @description A phase of a pipeline. */
        Phase: {
            /** @description Changes of targeting in the phase's environment are held for approval. */
            approvalRequired: boolean;
            environmentKey: components["schemas"]["Key"];
            name: string;
        };
        /**
         * @description A release pipeline.
         * @example {
         *       "key": "release",
         *       "name": "Release",
         *       "phases": [
         *         {
         *           "approvalRequired": false,
         *           "environmentKey": "staging",
         *           "name": "Try"
         *         },
         *         {
         *           "approvalRequired": true,
         *           "environmentKey": "production",
         *           "name": "Roll out"
         *         }
         *       ]
         *     }
         */
        Pipeline: {
            key: components["schemas"]["Key"];
            name: string;
            /** @description In the order in which features pass them. */
            phases: components["schemas"]["Phase"][];
        };
        /** @description The feature is assigned to a release pipeline. */
        PipelineChip: {
            key: components["schemas"]["Key"];
            /** @description `Pipeline: ` and its name. */
            label: string;
            name: string;
        };
        /**
         * @description What changes a pipeline; what is left out stays.
         * @example {
         *       "name": "Weekly release"
         *     }
         */
        PipelineEdit: {
            name?: components["schemas"]["Name"] | null;
            phases?: components["schemas"]["NewPhase"][] | null;
        };
        /**
         * @description What the user gets, and why.
         * @example {
         *       "bucket": 8214,
         *       "enabled": true,
         *       "reason": "rule",
         *       "ruleIndex": 0,
         *       "ruleName": "A fifth of Danes",
         *       "rules": [
         *         {
         *           "audienceKey": null,
         *           "conditions": [
         *             {
         *               "attribute": "country",
         *               "matched": true,
         *               "operator": "equals",
         *               "values": [
         *                 "DK"
         *               ]
         *             }
         *           ],
         *           "index": 0,
         *           "matched": true,
         *           "name": "A fifth of Danes"
         *         }
         *       ],
         *       "share": {
         *         "from": 0,
         *         "to": 20000,
         *         "variantKey": "on"
         *       },
         *       "variantKey": "on"
         *     }
         */
        Preview: {
            /**
             * Format: int32
             * @description Where the user is in the splits of every rule, in thousandths of a percent, 0 to 99999.
             */
            bucket: number;
            /** @description Whether targeting is on. */
            enabled: boolean;
            reason: components["schemas"]["PreviewReason"];
            /**
             * Format: int32
             * @description The rule that decides, counted from 0; null: none does.
             */
            ruleIndex?: number | null;
            /** @description Its name, which may be empty; null: no rule decides. */
            ruleName?: string | null;
            rules: components["schemas"]["PreviewedRule"][];
            share?: components["schemas"]["PreviewShare"] | null;
            variantKey: components["schemas"]["Key"];
        };
        /**
         * @description For whom, when and by which targeting.
         * @example {
         *       "at": "2026-11-21T10:42:01Z",
         *       "targeting": {
         *         "enabled": true,
         *         "offVariantKey": "off",
         *         "rules": [
         *           {
         *             "conditions": [
         *               {
         *                 "attribute": "country",
         *                 "operator": "equals",
         *                 "values": [
         *                   "DK"
         *                 ]
         *               }
         *             ],
         *             "name": "A fifth of Danes",
         *             "splits": [
         *               {
         *                 "percentage": 20,
         *                 "variantKey": "on"
         *               },
         *               {
         *                 "percentage": 80,
         *                 "variantKey": "off"
         *               }
         *             ]
         *           }
         *         ]
         *       },
         *       "user": {
         *         "attributes": {
         *           "country": "DK"
         *         },
         *         "id": "alice"
         *       }
         *     }
         */
        PreviewQuestion: {
            at?: components["schemas"]["Time"] | null;
            targeting?: components["schemas"]["TargetingReplacement"] | null;
            user: components["schemas"]["PreviewUser"];
        };
        /**
         * @description Why it is that variant.
         * @enum {string}
         */
        PreviewReason: "off" | "rule" | "noRule";
        /** @description A part of a rule's splits, in thousandths of a percent. */
        PreviewShare: {
            /**
             * Format: int32
             * @description Its first bucket.
             */
            from: number;
            /**
             * Format: int32
             * @description The first bucket beyond it, at most 100000.
             */
            to: number;
            variantKey: components["schemas"]["Key"];
        };
        /** @description A user as a client sends one. */
        PreviewUser: {
            /** @description By name; a text, a number, true or false, or a list of these. */
            attributes?: Record<string, never>;
            /** @description Left out: somebody without an id. */
            id?: string;
        };
        /** @description A condition, and whether it holds for the user. */
        PreviewedCondition: components["schemas"]["Condition"] & {
            matched: boolean;
        };
        /** @description A rule, and whether it matches the user. While targeting is off, none does. */
        PreviewedRule: {
            audienceKey?: components["schemas"]["Key"] | null;
            conditions: components["schemas"]["PreviewedCondition"][];
            index: number;
            matched: boolean;
            name: string;
        };
        /**
         * @description The body of every answer that is an error.
         * @example {
         *       "detail": "The body cannot be read: a name cannot be blank: write something by which people know it at line 1 column 11.",
         *       "errors": [
         *         {
         *           "detail": "a name cannot be blank: write something by which people know it at line 1 column 11",
         *           "pointer": "/name"
         *         }
         *       ],
         *       "status": 422,
         *       "title": "Unprocessable Entity",
         *       "type": "/problems/invalid"
         *     }
         */
        Problem: {
            /** @description The change that waits for approval, of the problem `pending-approval`. */
            approvalId?: string | null;
            /** @description In plain words, with the remedy. */
            detail: string;
            errors?: components["schemas"]["Invalid"][];
            /** Format: int32 */
            status: number;
            title: string;
            /** @description Stable: programs tell errors apart by it. */
            type: string;
        };
        /**
         * @description A project.
         * @example {
         *       "key": "app",
         *       "name": "App"
         *     }
         */
        Project: {
            key: components["schemas"]["Key"];
            name: string;
        };
        /**
         * @description What changes a project; what is left out stays.
         * @example {
         *       "name": "Mobile app"
         *     }
         */
        ProjectEdit: {
            name?: components["schemas"]["Name"] | null;
        };
        /**
         * @description Which of the analytics service's regions an account is in.
         * @enum {string}
         */
        Region: "US" | "EU";
        Remark: string;
        /**
         * @description A person's role. Each role includes the permissions of the roles before it.
         * @enum {string}
         */
        Role: "readOnly" | "editor" | "productionEditor" | "administrator";
        /** @description A rule. It has `audienceKey` or `conditions`, not both. With neither it matches everyone. */
        Rule: {
            audienceKey?: components["schemas"]["Key"] | null;
            conditions?: components["schemas"]["Condition"][] | null;
            name?: components["schemas"]["RuleName"];
            splits: components["schemas"]["Split"][];
        };
        RuleName: string;
        /**
         * @description A client key or a server key, without its text.
         * @example {
         *       "createdAt": "2026-11-21T10:42:01Z",
         *       "hint": "x7qk",
         *       "id": "01938f2a-6f40-7c3d-9b1e-4a5d6c7e8f90",
         *       "name": "Web shop"
         *     }
         */
        SdkKey: {
            createdAt: components["schemas"]["Time"];
            /** @description The key's last characters. */
            hint: string;
            id: string;
            /** @description The key itself, in the answer that creates it and never again. */
            key?: string | null;
            name: string;
        };
        /** @description Why a feature was left as it is. */
        SkipReason: {
            /** @description Stable: `unknownFeature`, `archived`, `pendingApproval`, `targetChanged`, `identical`, `unknownAudience`, `invalid`. */
            code: string;
            /** @description In plain words. */
            detail: string;
        };
        /** @description A variant and the percentage of the rule's users who get it. */
        Split: {
            /** @description Its share of the users. */
            percentage: components["schemas"]["Percentage"];
            /** @description The variant. */
            variantKey: components["schemas"]["Key"];
        };
        /** @description Why an approval is stale. */
        Staleness: {
            because: components["schemas"]["StalenessKind"];
            /** @description In plain words. */
            detail: string;
        };
        /**
         * @description What can make an approval stale.
         * @enum {string}
         */
        StalenessKind: "targetChanged" | "audienceChanged" | "featureArchived" | "invalid";
        Tag: string;
        /**
         * @description The targeting of a feature in an environment, as written. While it is off, users get the off variant. While it is on,
         *     the first matching rule decides; if none matches, users get the off variant.
         */
        Targeting: {
            /** @description Whether targeting is on. */
            enabled: boolean;
            /** @description The variant served while targeting is off or when no rule matches. */
            offVariantKey: components["schemas"]["Key"];
            /** @description The rules, in order: the first that matches decides. */
            rules: components["schemas"]["Rule"][];
        };
        /**
         * @description What changes a targeting; what is left out stays.
         * @example {
         *       "enabled": false
         *     }
         */
        TargetingEdit: {
            comment?: components["schemas"]["Comment"] | null;
            enabled?: boolean | null;
            offVariantKey?: components["schemas"]["Key"] | null;
            rules?: components["schemas"]["Rule"][] | null;
        };
        /**
         * @description What replaces a targeting.
         * @example {
         *       "enabled": true,
         *       "offVariantKey": "off",
         *       "rules": [
         *         {
         *           "conditions": [
         *             {
         *               "attribute": "country",
         *               "operator": "equals",
         *               "values": [
         *                 "DK"
         *               ]
         *             }
         *           ],
         *           "name": "A fifth of Danes",
         *           "splits": [
         *             {
         *               "percentage": 20,
         *               "variantKey": "on"
         *             },
         *             {
         *               "percentage": 80,
         *               "variantKey": "off"
         *             }
         *           ]
         *         }
         *       ]
         *     }
         */
        TargetingReplacement: {
            comment?: components["schemas"]["Comment"] | null;
            enabled: boolean;
            offVariantKey: components["schemas"]["Key"];
            rules: components["schemas"]["Rule"][];
        };
        /**
         * @description A targeting with its version.
         * @example {
         *       "enabled": true,
         *       "offVariantKey": "off",
         *       "rules": [
         *         {
         *           "conditions": [
         *             {
         *               "attribute": "country",
         *               "operator": "equals",
         *               "values": [
         *                 "DK"
         *               ]
         *             }
         *           ],
         *           "name": "A fifth of Danes",
         *           "splits": [
         *             {
         *               "percentage": 20,
         *               "variantKey": "on"
         *             },
         *             {
         *               "percentage": 80,
         *               "variantKey": "off"
         *             }
         *           ]
         *         }
         *       ],
         *       "version": 17
         *     }
         */
        TargetingView: {
            enabled: boolean;
            offVariantKey: components["schemas"]["Key"];
            rules: components["schemas"]["Rule"][];
            /** Format: int64 */
            version: number;
        };
        /** @description A text without the character NUL, which PostgreSQL does not keep. */
        Text: string;
        /**
         * Format: date-time
         * @description A time, to the millisecond.
         * @example 2026-11-21T10:42:01Z
         */
        Time: string;
        /**
         * @description A person of the organisation.
         * @example {
         *       "id": "01938f2a-6f40-7d10-8c2f-1b2a3c4d5e6f",
         *       "name": "Edda Okafor",
         *       "role": "editor"
         *     }
         */
        User: {
            id: string;
            name: string;
            role: components["schemas"]["Role"];
        };
        /**
         * @description What changes a person; what is left out stays.
         * @example {
         *       "role": "productionEditor"
         *     }
         */
        UserEdit: {
            name?: components["schemas"]["Name"] | null;
            role?: components["schemas"]["Role"] | null;
        };
        Value: string | number | boolean;
    };
    responses: {
        /** @description The key is taken, others need what is to go, a change waits for approval or was decided on, or the first request with this Idempotency-Key is still running. */
        Conflict: {
            headers: {
                /** @description When to come back, in seconds; of a conflict, only while a first request is still running. */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "There is a feature 'new-checkout' already. Choose another key.",
                 *       "status": 409,
                 *       "title": "Conflict",
                 *       "type": "/problems/exists"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The token's person has too small a role, or asked for the change that is to be decided on. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "This takes the role of an administrator.",
                 *       "status": 403,
                 *       "title": "Forbidden",
                 *       "type": "/problems/forbidden"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The service failed. */
        Internal: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "The service failed. Try again; if it lasts, tell the operator.",
                 *       "status": 500,
                 *       "title": "Internal Server Error",
                 *       "type": "/problems/internal"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description What was sent breaks a rule; errors[] points at each place. */
        Invalid: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "A page has 1 to 200 items.",
                 *       "errors": [
                 *         {
                 *           "detail": "A page has 1 to 200 items.",
                 *           "pointer": "/limit"
                 *         }
                 *       ],
                 *       "status": 422,
                 *       "title": "Unprocessable Entity",
                 *       "type": "/problems/invalid"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description There is nothing of that key or id in the caller's organisation. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "There is no feature 'new-checkout'.",
                 *       "status": 404,
                 *       "title": "Not Found",
                 *       "type": "/problems/not-found"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The resource changed since the caller saw the version that If-Match names. */
        Stale: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "You saw version 16, but it is at version 17 now. Read it again, then decide.",
                 *       "status": 412,
                 *       "title": "Precondition Failed",
                 *       "type": "/problems/stale"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The database has no room left; nothing was changed. */
        StorageFull: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "The database has no room left, and nothing was changed. Ask the operator for room on its disk, then try again.",
                 *       "status": 507,
                 *       "title": "Insufficient Storage",
                 *       "type": "/problems/storage-full"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request was not done in time. */
        Timeout: {
            headers: {
                /** @description When to come back, in seconds; of a conflict, only while a first request is still running. */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "The request was not done in time. Send it whole, or try again a little later.",
                 *       "status": 503,
                 *       "title": "Service Unavailable",
                 *       "type": "/problems/timeout"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is larger than 1 MiB. */
        TooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "The body is larger than this path takes. Send less.",
                 *       "status": 413,
                 *       "title": "Payload Too Large",
                 *       "type": "/problems/too-large"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description There is no personal access token, or it is unknown, expired or revoked. */
        Unauthenticated: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "The token is unknown, expired or revoked. Make a new one.",
                 *       "status": 401,
                 *       "title": "Unauthorized",
                 *       "type": "/problems/unauthenticated"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is no JSON, or a parameter of the query or a header cannot be read. */
        Unreadable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "The body cannot be read: expected value at line 1 column 9.",
                 *       "status": 400,
                 *       "title": "Bad Request",
                 *       "type": "/problems/malformed-json"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is not marked as application/json. */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "Send the body as application/json.",
                 *       "status": 415,
                 *       "title": "Unsupported Media Type",
                 *       "type": "/problems/unsupported-media-type"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
