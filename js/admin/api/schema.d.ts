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
        get: operations["listIntegrations"];
        put?: never;
        /**
         * Creates an outbound integration. It receives changes made from then on. Only this response shows the signing secret of a
         *     webhook; a repeat with the same Idempotency-Key does not.
         */
        post: operations["createIntegration"];
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
        get: operations["readIntegration"];
        /**
         * Replaces the settings of an outbound integration, except its type and its signing secret. Blank or missing keys and URLs are
         *     kept; a missing filter is removed.
         */
        put: operations["replaceIntegration"];
        post?: never;
        /** Deletes an outbound integration and its waiting deliveries. */
        delete: operations["deleteIntegration"];
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
        /** Lists the integration's deliveries with their attempts, newest first: all waiting and the newest 1,000 finished ones. */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/integrations/outbound/{id}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replaces the secret that signs a webhook's requests. Only this response shows it; a repeat with the same Idempotency-Key does
         *     not. For 24 h, requests have the signatures of both secrets, so that the receiver can change over.
         */
        post: operations["replaceSigningSecret"];
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
        /** Sends a test change ahead of waiting deliveries and reports the result within 25 s. */
        post: operations["sendTestEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/integrations/regions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads in which regions of the analytics service this server can deliver. */
        get: operations["readRegions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the pending approvals of all projects that the caller can decide on, newest first.
         * @description Leaves out those that the caller requested, and those in production if the caller may not change production.
         */
        get: operations["listApprovalsToDecide"];
        put?: never;
        post?: never;
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
        get: operations["listAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/erasures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Erases a person or a user. In records that stay, a neutral person takes their place. Once more, it finds nothing. */
        post: operations["eraseUser"];
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
        /** Reads the caller's name and role. */
        get: operations["readCaller"];
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
        get: operations["readOrganisation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Renames the caller's organisation. */
        patch: operations["updateOrganisation"];
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
        get: operations["listProjects"];
        put?: never;
        /** Creates a project without environments. */
        post: operations["createProject"];
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
        get: operations["readProject"];
        put?: never;
        post?: never;
        /** Deletes a project that has no environments and no features. */
        delete: operations["deleteProject"];
        options?: never;
        head?: never;
        /** Renames a project. */
        patch: operations["updateProject"];
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
        get: operations["listApprovals"];
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
        /** Reads an approval: the targeting before and after, the comments, and whether it is stale. */
        get: operations["readApproval"];
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
        /** Approves a change and applies it, unless it is stale. */
        post: operations["approveChange"];
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
        /** Cancels a change. Only the requester or an administrator can cancel it. */
        post: operations["cancelChange"];
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
        /** Adds a comment to an approval, also after the decision. */
        post: operations["addApprovalComment"];
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
        /** Rejects a change. It is not applied. */
        post: operations["rejectChange"];
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
        get: operations["listAudiences"];
        put?: never;
        /** Creates a saved audience. */
        post: operations["createAudience"];
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
        /** Reads an audience, with the places where it is used. */
        get: operations["readAudience"];
        put?: never;
        post?: never;
        /** Deletes an audience that no rule uses. */
        delete: operations["deleteAudience"];
        options?: never;
        head?: never;
        /** Changes an audience. New conditions take effect immediately in every feature that uses it. */
        patch: operations["updateAudience"];
        trace?: never;
    };
    "/api/v1/projects/{projectKey}/edge-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the project's active edge keys. */
        get: operations["listEdgeKeys"];
        put?: never;
        /** Creates an edge key. Only this response shows the key itself. */
        post: operations["createEdgeKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{projectKey}/edge-keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revokes an edge key. Edges that use it keep what they have, and get no more changes. */
        delete: operations["revokeEdgeKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{projectKey}/edge-keys/{keyId}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates another edge key with the same name and environments. Only this response shows the key itself. The old key stays valid until
         *     it is revoked, so that edges can be given the new one without an outage.
         */
        post: operations["rotateEdgeKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
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
        get: operations["listEnvironments"];
        put?: never;
        /** Creates an environment. Targeting of every feature is off in it, with the off variant that all other environments have. */
        post: operations["createEnvironment"];
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
        get: operations["compareEnvironments"];
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
        /** Copies targeting from one environment to another, now or at a time to come. */
        post: operations["copyTargeting"];
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
        get: operations["readEnvironment"];
        put?: never;
        post?: never;
        /** Deletes an environment with its targeting, keys and goals. Production environments can't be deleted. */
        delete: operations["deleteEnvironment"];
        options?: never;
        head?: never;
        /** Changes an environment. */
        patch: operations["updateEnvironment"];
        trace?: never;
    };
    "/api/v1/projects/{projectKey}/environments/{environmentKey}/client-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the environment's active client keys. */
        get: operations["listClientKeys"];
        put?: never;
        /** Creates a client key. Only this response shows the key itself. */
        post: operations["createClientKey"];
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
        delete: operations["revokeClientKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{projectKey}/environments/{environmentKey}/experiments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the environment's experiments by key. */
        get: operations["listExperiments"];
        put?: never;
        /** Creates an experiment as a draft. Nothing is measured before it is started. */
        post: operations["createExperiment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{projectKey}/environments/{environmentKey}/experiments/{experimentKey}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads an experiment. */
        get: operations["readExperiment"];
        put?: never;
        post?: never;
        /** Deletes an experiment that does not run, with its results. */
        delete: operations["deleteExperiment"];
        options?: never;
        head?: never;
        /** Changes an experiment. What it measures can be changed only in a draft. */
        patch: operations["updateExperiment"];
        trace?: never;
    };
    "/api/v1/projects/{projectKey}/environments/{environmentKey}/experiments/{experimentKey}/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads the results of an experiment that was started. */
        get: operations["readExperimentResults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{projectKey}/environments/{environmentKey}/experiments/{experimentKey}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Starts a draft. From now on clients report which users take part, and goals of participants count. */
        post: operations["startExperiment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{projectKey}/environments/{environmentKey}/experiments/{experimentKey}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stops a running experiment with a decision. Targeting stays as it is. */
        post: operations["stopExperiment"];
        delete?: never;
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
        /** Lists the environment's goals by key, with counts by feature and variant. */
        get: operations["listGoals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{projectKey}/environments/{environmentKey}/insights": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the features that are not archived by key, with their evaluations in the last 24 hours, and which of them are stale. */
        get: operations["listInsights"];
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
        /** Lists the environment's active server keys. */
        get: operations["listServerKeys"];
        put?: never;
        /** Creates a server key. Only this response shows the key itself. */
        post: operations["createServerKey"];
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
        delete: operations["revokeServerKey"];
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
        get: operations["listFeatures"];
        put?: never;
        /** Creates a feature with targeting off in every environment. */
        post: operations["createFeature"];
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
        get: operations["readFeature"];
        put?: never;
        post?: never;
        /** Deletes an archived feature and its targeting, or requests approval for that. */
        delete: operations["deleteFeature"];
        options?: never;
        head?: never;
        /** Changes a feature, or requests approval for the change. */
        patch: operations["updateFeature"];
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
        get: operations["readTargeting"];
        /**
         * Replaces a feature's targeting in an environment, schedules the change, or requests approval for it. A targeting that is not served
         *     yet is accepted by sending it as it is.
         */
        put: operations["replaceTargeting"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Changes parts of a feature's targeting in an environment, schedules the change, or requests approval for it. */
        patch: operations["updateTargeting"];
        trace?: never;
    };
    "/api/v1/projects/{projectKey}/features/{featureKey}/environments/{environmentKey}/break-glass": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Switches targeting off at once, also where an approval is required or pending (break-glass). Open pages follow immediately;
         *     the reason is in the audit log and in the annotation. Changes of the targeting that wait for an approval or for their time become
         *     stale, also if it is off already.
         */
        post: operations["switchOffNow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{projectKey}/features/{featureKey}/environments/{environmentKey}/insights": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads how a feature is used in an environment: its evaluations in the last 24 hours and 30 days. */
        get: operations["getInsights"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
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
        /** Evaluates saved or unsaved targeting for a user and explains the result. Changes nothing. */
        post: operations["previewTargeting"];
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
        /**
         * Moves a feature to the next phase of its pipeline. Targeting does not change.
         * @description The response is 409 while a guard has tripped in the running experiment of the current phase: stop the experiment first.
         */
        post: operations["moveToNextPhase"];
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
        get: operations["listPipelines"];
        put?: never;
        /** Creates a pipeline. */
        post: operations["createPipeline"];
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
        get: operations["readPipeline"];
        put?: never;
        post?: never;
        /** Deletes a pipeline that has no features. */
        delete: operations["deletePipeline"];
        options?: never;
        head?: never;
        /** Changes a pipeline. Features in a removed phase move back to the nearest earlier phase. */
        patch: operations["updatePipeline"];
        trace?: never;
    };
    "/api/v1/projects/{projectKey}/preferences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reads the caller's favourites and saved views. */
        get: operations["readPreferences"];
        /** Replaces the caller's favourites and saved views. Nobody else sees them. */
        put: operations["replacePreferences"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists tokens that have not been revoked. A token that is limited to projects or environments only sees itself. */
        get: operations["listTokens"];
        put?: never;
        /**
         * Creates a token.
         * @description It expires, unless `expiresAt` is null. Only this response shows the token itself; a repeat with the same Idempotency-Key does not.
         */
        post: operations["createToken"];
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
        delete: operations["revokeToken"];
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
        get: operations["listUsers"];
        put?: never;
        /** Adds a person. */
        post: operations["createUser"];
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
        get: operations["readUser"];
        put?: never;
        post?: never;
        /** Deletes a person and revokes their tokens. What they requested or scheduled becomes stale. */
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        /** Changes a person's name or role. */
        patch: operations["updateUser"];
        trace?: never;
    };
    "/api/v1/users/{userId}/setup-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Creates a one-time link with which a person who cannot sign in creates their own token. Their earlier links stop working. */
        post: operations["createSetupLink"];
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
        /**
         * @description A personal access token.
         * @example {
         *       "createdAt": "2026-11-21T10:42:01Z",
         *       "createdBy": "01938f2a-6f40-7d10-8c2f-1b2a3c4d5e6f",
         *       "expiresAt": "2099-01-01T00:00:00Z",
         *       "hint": "x7qk",
         *       "id": "01938f2a-6f40-7c3d-9b1e-4a5d6c7e8f90",
         *       "lastUsedAt": "2026-11-21T11:00:00Z",
         *       "name": "Deploy robot",
         *       "scope": {
         *         "access": "readWrite",
         *         "environments": [
         *           {
         *             "environmentKey": "staging",
         *             "projectKey": "shop"
         *           }
         *         ],
         *         "projects": []
         *       },
         *       "userId": "01938f2a-6f40-7d10-8c2f-1b2a3c4d5e6f"
         *     }
         */
        AccessToken: {
            createdAt: components["schemas"]["Time"];
            /** @description The id of the person who created it; null if it is not known. */
            createdBy?: string | null;
            expiresAt?: components["schemas"]["Time"] | null;
            /** @description The token's last characters. */
            hint: string;
            id: string;
            lastUsedAt?: components["schemas"]["Time"] | null;
            name: string;
            scope?: components["schemas"]["TokenScope"] | null;
            /** @description The token itself, only in the response that creates it. */
            token?: string | null;
            userId: string;
        };
        /** @description The settings of an analytics service, without its keys. */
        AnalyticsConfiguration: {
            filter: components["schemas"]["Filter"];
            region: components["schemas"]["Region"];
        };
        /** @description A region of the analytics service. */
        AnalyticsRegion: {
            /** @description Whether the server has the region's address. Integrations in a region that is not available are refused. */
            available: boolean;
            region: components["schemas"]["Region"];
        };
        /**
         * @description The regions of the analytics service.
         * @example {
         *       "regions": [
         *         {
         *           "available": true,
         *           "region": "US"
         *         },
         *         {
         *           "available": true,
         *           "region": "EU"
         *         }
         *       ]
         *     }
         */
        AnalyticsRegions: {
            /** @description All regions. */
            regions: components["schemas"]["AnalyticsRegion"][];
        };
        /**
         * @description A change that waits, or waited, for an approval or its time.
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
         *       "copyId": null,
         *       "decidedAt": null,
         *       "decidedBy": null,
         *       "decidedWith": null,
         *       "environmentKey": "production",
         *       "feature": null,
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
         *       "scheduledFor": null,
         *       "settledAt": null,
         *       "sourceEnvironmentKey": null,
         *       "stale": null,
         *       "state": "pending",
         *       "targetVersion": 17
         *     }
         */
        Approval: components["schemas"]["ApprovalSummary"] & {
            /** @description The targeting after the change. If it is the same as before, it is accepted as it is, and served from then on. */
            after: components["schemas"]["Targeting"];
            /** @description The targeting before the change. */
            before: components["schemas"]["Targeting"];
            /** @description Oldest first. */
            comments: components["schemas"]["ApprovalComment"][];
            feature?: components["schemas"]["FeatureChange"] | null;
            stale?: components["schemas"]["Staleness"] | null;
        };
        /** @description A comment on an approval. */
        ApprovalComment: {
            at: components["schemas"]["Time"];
            author: components["schemas"]["Person"];
            text: string;
        };
        /** @description What required an approval. */
        ApprovalReason: {
            gate: components["schemas"]["GateKind"];
            /** @description Null unless `gate` is `phase`. */
            phaseName?: string | null;
            pipelineKey?: components["schemas"]["Key"] | null;
            /** @description Null unless `gate` is `phase`. */
            pipelineName?: string | null;
        };
        /** @description Copying to the target environment needs approval. */
        ApprovalRequiredChip: {
            /** @description `Approval required`. */
            label: string;
            /** @description What requires approval: the target environment, the feature, or the phase of its pipeline there. */
            reasons: components["schemas"]["GateKind"][];
        };
        /**
         * @description Where an approval stands. All but the first two are final.
         * @enum {string}
         */
        ApprovalState: "pending" | "scheduled" | "approved" | "rejected" | "cancelled" | "stale";
        /**
         * @description A change that waits, or waited, for an approval or its time, and its state.
         * @example {
         *       "comment": "Half of Denmark, for the weekend.",
         *       "copyId": null,
         *       "decidedAt": null,
         *       "decidedBy": null,
         *       "decidedWith": null,
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
         *       "scheduledFor": null,
         *       "settledAt": null,
         *       "sourceEnvironmentKey": null,
         *       "state": "pending",
         *       "targetVersion": 17
         *     }
         */
        ApprovalSummary: {
            /** @description The requester's comment. */
            comment: string;
            /** @description All approvals that one copy requested have the same. Null unless `kind` is `copy`. */
            copyId?: string | null;
            decidedAt?: components["schemas"]["Time"] | null;
            decidedBy?: components["schemas"]["Person"] | null;
            decidedWith?: components["schemas"]["TokenRef"] | null;
            /** @description Of a change of the feature itself, which concerns all environments: one of them. */
            environmentKey: components["schemas"]["Key"];
            featureKey: components["schemas"]["Key"];
            id: string;
            kind: components["schemas"]["ChangeKind"];
            /** @description What required the approval. Empty for a change that only waits for its time. */
            reasons: components["schemas"]["ApprovalReason"][];
            requestedAt: components["schemas"]["Time"];
            requestedBy: components["schemas"]["Person"];
            scheduledFor?: components["schemas"]["Time"] | null;
            settledAt?: components["schemas"]["Time"] | null;
            sourceEnvironmentKey?: components["schemas"]["Key"] | null;
            state: components["schemas"]["ApprovalState"];
            /**
             * Format: int64
             * @description The version of the targeting before the change; of the feature if the change is one of the feature.
             */
            targetVersion: number;
        };
        /**
         * @description A pending approval, with the names of what it is about.
         * @example {
         *       "comment": "Half of Denmark, for the weekend.",
         *       "copyId": null,
         *       "decidedAt": null,
         *       "decidedBy": null,
         *       "decidedWith": null,
         *       "environmentKey": "production",
         *       "environmentName": "Production",
         *       "featureKey": "new-checkout",
         *       "featureName": "New checkout",
         *       "id": "01938f2a-6f40-7c3d-9b1e-4a5d6c7e8f90",
         *       "kind": "edit",
         *       "production": true,
         *       "projectKey": "shop",
         *       "projectName": "Shop",
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
         *       "scheduledFor": null,
         *       "settledAt": null,
         *       "sourceEnvironmentKey": null,
         *       "sourceEnvironmentName": null,
         *       "state": "pending",
         *       "targetVersion": 17
         *     }
         */
        ApprovalToDecide: components["schemas"]["ApprovalSummary"] & {
            environmentName: string;
            featureName: string;
            /** @description Whether the change is in a production environment. A change of the feature itself is in all environments of the project. */
            production: boolean;
            projectKey: components["schemas"]["Key"];
            projectName: string;
            /** @description Null unless `kind` is `copy`. */
            sourceEnvironmentName?: string | null;
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
            /** @description Where it is used; only in the response for a single audience. */
            usedIn?: components["schemas"]["AudienceUse"][] | null;
        };
        /**
         * @description Changes to an audience. Missing fields stay the same.
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
        /** @description A feature's targeting in an environment that uses an audience. */
        AudienceUse: {
            environmentKey: components["schemas"]["Key"];
            featureKey: components["schemas"]["Key"];
        };
        /** @description A rule uses an audience that exists only in the source environment. */
        AudiencesCopiedInlineChip: {
            /** @description In the order of the rules. */
            audiences: components["schemas"]["InlinedAudience"][];
            /** @description `Audience copied inline`. */
            label: string;
        };
        /**
         * @description An audit log entry.
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
         *       "token": {
         *         "createdBy": "01938f2a-6f40-7d10-8c2f-1b2a3c4d5e6f",
         *         "id": "01938f2a-6f40-7e20-9d3a-2b3c4d5e6f70"
         *       },
         *       "userId": "01938f2a-6f40-7d10-8c2f-1b2a3c4d5e6f",
         *       "userName": "Edda Okafor"
         *     }
         */
        AuditEntry: {
            /** @description What was done, such as `targeting.update`. */
            action: string;
            /** @description The resource after the change; null if it was deleted. */
            after?: {
                [key: string]: unknown;
            } | null;
            at: components["schemas"]["Time"];
            /** @description The resource before the change; null if it was created. */
            before?: {
                [key: string]: unknown;
            } | null;
            id: string;
            /** @description The changed resource: its path below `/api/v1`. */
            resource: string;
            token?: components["schemas"]["TokenRef"] | null;
            userId: string;
            /** @description The person's name at that time. */
            userName: string;
        };
        /** @description The changes that wait for delivery. */
        BacklogView: {
            /** @description Whether more than 10,000 changes are waiting. */
            backlogged: boolean;
            oldestChangeAt?: components["schemas"]["Time"] | null;
            /**
             * Format: int64
             * @description The number of waiting changes.
             */
            waiting: number;
        };
        /**
         * @description Why targeting is switched off without an approval.
         * @example {
         *       "reason": "Payments fail: incident 42"
         *     }
         */
        BreakGlass: {
            /** @description For the audit log and the annotation. */
            reason: components["schemas"]["Remark"];
        };
        /** @description The feature can't be copied to the target environment. */
        CannotCopyChip: {
            /** @description The id of the pending approval. */
            approvalId: string;
            /** @description The same code as in the result of a copy. */
            code: string;
            /** @description `Cannot copy`. */
            label: string;
            /** @description An explanation for people. */
            reason: string;
        };
        /**
         * @description What an approval changes.
         * @enum {string}
         */
        ChangeKind: "edit" | "copy" | "feature" | "deletion";
        /** @description A change that waits for its time, and perhaps also for an approval. */
        ChangeScheduled: {
            /** @description The id of the change, below `/approvals`. */
            approvalId: string;
            scheduledFor: components["schemas"]["Time"];
        };
        /** @description Changes of the target's targeting wait for their time. A copy that is applied before makes them stale. */
        ChangesScheduledChip: {
            /** @description In the order of their times. */
            changes: components["schemas"]["ChangeScheduled"][];
            /** @description `Changes scheduled`. */
            label: string;
        };
        /** @description What to know before copying the feature from the source to the target. Only chips that apply are present. */
        Chips: {
            approvalRequired?: components["schemas"]["ApprovalRequiredChip"] | null;
            audiencesCopiedInline?: components["schemas"]["AudiencesCopiedInlineChip"] | null;
            cannotCopy?: components["schemas"]["CannotCopyChip"] | null;
            changesScheduled?: components["schemas"]["ChangesScheduledChip"] | null;
            pipeline?: components["schemas"]["PipelineChip"] | null;
        };
        Comment: string;
        /** @description One of the two environments. */
        ComparedEnvironment: {
            /** @description Random, and new after a restore. Versions from different epochs can't be compared. */
            epoch: string;
            key: components["schemas"]["Key"];
            name: string;
            /** @description Changing targeting here requires the production editor role. */
            production: boolean;
            /**
             * Format: int64
             * @description Increases with each change of what clients get.
             */
            version: number;
        };
        /** @description A feature in both environments. */
        ComparedFeature: {
            chips: components["schemas"]["Chips"];
            description: string;
            /** @description The settings that differ, in this order. Empty if the environments are identical. */
            differences: components["schemas"]["Difference"][];
            key: components["schemas"]["Key"];
            lifecycle: components["schemas"]["Lifecycle"];
            name: string;
            source: components["schemas"]["ComparedTargeting"];
            tags: string[];
            target: components["schemas"]["ComparedTargeting"];
            variants: components["schemas"]["Key"][];
        };
        /** @description A feature's targeting in one of the two environments. Rules are included even while targeting is off. */
        ComparedTargeting: {
            enabled: boolean;
            offVariantKey: components["schemas"]["Key"];
            rules: components["schemas"]["Rule"][];
            /**
             * Format: int64
             * @description The version of the environment with which this targeting came into effect.
             */
            version: number;
        };
        /**
         * @description Two environments side by side, both read at the same time.
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
         *           "description": "One page instead of three.",
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
         *           "tags": [
         *             "checkout"
         *           ],
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
         *           },
         *           "variants": [
         *             "on",
         *             "off"
         *           ]
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
            /** @description The number of features that differ. */
            different: number;
            /** @description All features that are not archived, sorted by key. */
            features: components["schemas"]["ComparedFeature"][];
            /** @description The number of identical features. */
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
        /** @description The settings of the destination, under the name of its type. */
        Configuration: {
            /** @description An analytics project. */
            analytics: components["schemas"]["AnalyticsConfiguration"];
        } | {
            /** @description A service that gets signed requests. */
            webhook: components["schemas"]["HookConfiguration"];
        } | {
            /** @description An incoming webhook of Slack. */
            slack: components["schemas"]["HookConfiguration"];
        };
        /** @description The outcome of one feature. */
        CopiedFeature: {
            /** @description For `PENDING_APPROVAL` and `SCHEDULED`: the id of the change that waits. Missing in a dry run. */
            approvalId?: string | null;
            /** @description For `PENDING_APPROVAL`: what requires the approval. */
            approvalReasons?: components["schemas"]["ApprovalReason"][] | null;
            /** @description Keys of the source's audiences whose conditions were copied into rules. */
            audiencesCopiedInline: components["schemas"]["Key"][];
            featureKey: string;
            outcome: components["schemas"]["OutcomeKind"];
            reason?: components["schemas"]["SkipReason"] | null;
            /**
             * Format: int64
             * @description For `APPLIED`: the version of the target's targeting that the copy replaced, or in a dry run would replace. Compare it with
             *     what you have seen if you send no `targetVersions`; the audit log has the replaced targeting.
             */
            replacedVersion?: number | null;
            /**
             * Format: int64
             * @description For `APPLIED`: the new version of the target's targeting. Missing in a dry run.
             */
            version?: number | null;
        };
        /**
         * @description What to copy.
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
            /** @description Reports what would happen, without changing anything. */
            dryRun?: boolean;
            /** @description Keys of the features. Duplicates are ignored. */
            featureKeys: string[];
            /**
             * Format: date-time
             * @description When to make the changes, within a year. Each is a scheduled change of its own.
             */
            scheduledFor?: string | null;
            /** @description Select at least one. The target keeps its own values for the others. */
            settings: components["schemas"]["CopySettings"];
            /** @description Key of the environment to copy from. */
            source: components["schemas"]["Key"];
            /** @description The versions of the source's targeting that the caller has seen, by feature key. A feature with another version is skipped. */
            sourceVersions?: {
                [key: string]: number;
            };
            /** @description Key of the environment to copy to. */
            target: components["schemas"]["Key"];
            /** @description The versions of the target's targeting that the caller has seen, by feature key. A feature with another version is skipped. */
            targetVersions?: {
                [key: string]: number;
            };
        };
        /**
         * @description The outcome of each feature.
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
        /** @description A feature's current phase in its pipeline. */
        CurrentPhase: {
            environmentKey: components["schemas"]["Key"];
            name: string;
        };
        /**
         * @description The fields of a decision.
         * @example {
         *       "comment": "Looks right."
         *     }
         */
        Decision: {
            comment?: components["schemas"]["Remark"] | null;
        };
        /**
         * @description A delivery: waiting, in progress or finished.
         * @example {
         *       "approvalId": null,
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
         *       "type": "feature.changed",
         *       "userName": "Ada"
         *     }
         */
        Delivery: {
            /** @description The approval; null for changes. */
            approvalId?: string | null;
            attempts: components["schemas"]["DeliveryAttempt"][];
            /** @description When the change was made, or the approval requested or decided. */
            changedAt: components["schemas"]["Time"];
            environmentKey: string;
            featureKey: string;
            /**
             * Format: int64
             * @description Its position in the order of changes.
             */
            id: number;
            projectKey: string;
            settledAt?: components["schemas"]["Time"] | null;
            state: components["schemas"]["DeliveryState"];
            /** @description Whether it is a test event. */
            test: boolean;
            /** @description What it is about: `feature.changed`, `approval.requested`, `approval.decided`, `approval.withdrawn` or `approval.stale`. */
            type: string;
            /** @description The person who made the change, or requested or decided on the approval. */
            userName: string;
        };
        /** @description A delivery attempt. */
        DeliveryAttempt: {
            /** @description When the attempt ended. */
            at: components["schemas"]["Time"];
            /** @description The response of the destination, or why there was none. */
            detail: string;
            /**
             * Format: int32
             * @description The HTTP status; null if there was no response.
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
         * @description In which direction a goal is better.
         * @enum {string}
         */
        Direction: "increase" | "decrease";
        /**
         * @description An edge key.
         * @example {
         *       "createdAt": "2026-11-21T10:42:01Z",
         *       "environmentKeys": [
         *         "staging"
         *       ],
         *       "hint": "m4tz",
         *       "id": "01938f2a-6f40-7c3d-9b1e-4a5d6c7e8f91",
         *       "lastUsedAt": "2026-11-21T11:00:00Z",
         *       "name": "Stockholm"
         *     }
         */
        EdgeKey: {
            createdAt: components["schemas"]["Time"];
            /**
             * @description The keys of the environments that it gives access to. Missing if it gives access to the whole project, also to environments that
             *     are added later. Empty if all of them have been deleted: it gives access to nothing.
             */
            environmentKeys?: components["schemas"]["Key"][] | null;
            /** @description The key's last characters. */
            hint: string;
            id: string;
            /** @description The key itself, only in the response that creates it. */
            key?: string | null;
            lastUsedAt?: components["schemas"]["Time"] | null;
            name: string;
        };
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
            /** @description Origins allowed to use client keys. Empty if all are allowed. */
            allowedOrigins: string[];
            /** @description Every targeting change here needs approval. */
            approvalRequired: boolean;
            id: string;
            key: components["schemas"]["Key"];
            name: string;
            /** @description Changing targeting here requires the production editor role. */
            production: boolean;
            /**
             * Format: int64
             * @description Increases with each change of what clients get.
             */
            version: number;
        };
        /**
         * @description Changes to an environment. Missing fields stay the same.
         * @example {
         *       "approvalRequired": true
         *     }
         */
        EnvironmentEdit: {
            /** @description Origins allowed to use client keys, as browsers send them, at most 100 or as many as there are. Empty if all are allowed. */
            allowedOrigins?: string[] | null;
            approvalRequired?: boolean | null;
            name?: components["schemas"]["Name"] | null;
            production?: boolean | null;
        };
        /**
         * @description What was erased.
         * @example {
         *       "removed": {
         *         "goals": 12,
         *         "idempotencyAnswers": 1
         *       },
         *       "rules": [
         *         "projects/shop/features/new-checkout/environments/production"
         *       ]
         *     }
         */
        Erasure: {
            /** @description How many records were removed or changed, by kind. Kinds without any are left out. */
            removed: {
                [key: string]: number;
            };
            /**
             * @description The paths below `/api/v1` of targetings, audiences and pending approvals that still contain the id. To change them changes
             *     what is served, so that is left to you.
             */
            rules: string[];
        };
        /**
         * @description The evaluations of an hour or a day.
         * @example {
         *       "evaluations": [
         *         {
         *           "browser": 120,
         *           "server": 3,
         *           "variantKey": "on"
         *         }
         *       ],
         *       "startsAt": "2026-11-21T10:00:00Z"
         *     }
         */
        EvaluationInterval: {
            /** @description Variants without evaluations are missing. */
            evaluations: components["schemas"]["VariantEvaluations"][];
            startsAt: components["schemas"]["Time"];
        };
        /**
         * @description An experiment with a feature in an environment.
         * @example {
         *       "audienceKey": null,
         *       "controlVariantKey": "off",
         *       "decisionVariantKey": null,
         *       "featureKey": "new-checkout",
         *       "goals": [
         *         {
         *           "direction": "increase",
         *           "key": "purchase",
         *           "role": "primary"
         *         },
         *         {
         *           "direction": "decrease",
         *           "key": "payment-error",
         *           "role": "guard"
         *         }
         *       ],
         *       "guardTrips": [],
         *       "key": "checkout-colour",
         *       "name": "Colour of the checkout",
         *       "note": null,
         *       "plannedDays": 14,
         *       "plannedParticipants": 20000,
         *       "segmentAttribute": null,
         *       "segments": null,
         *       "split": [
         *         {
         *           "percentage": 50,
         *           "variantKey": "off"
         *         },
         *         {
         *           "percentage": 50,
         *           "variantKey": "on"
         *         }
         *       ],
         *       "startedAt": "2026-11-21T10:42:01Z",
         *       "state": "running",
         *       "stoppedAt": null
         *     }
         */
        Experiment: {
            audienceKey?: components["schemas"]["Key"] | null;
            /** @description The variant that the others are compared with. */
            controlVariantKey: components["schemas"]["Key"];
            decisionVariantKey?: components["schemas"]["Key"] | null;
            featureKey: components["schemas"]["Key"];
            /** @description What is measured. Exactly one goal is the primary one. */
            goals: components["schemas"]["ExperimentGoal"][];
            /** @description The guards that tripped, oldest first. */
            guardTrips: components["schemas"]["GuardTrip"][];
            key: components["schemas"]["Key"];
            name: string;
            /** @description What was said of the decision. Null until it is stopped. */
            note?: string | null;
            /**
             * Format: int32
             * @description The planned length in days.
             */
            plannedDays: number;
            /**
             * Format: int64
             * @description The number of participants in all variants at which the intervals are narrowest.
             */
            plannedParticipants: number;
            /** @description The attribute for whose values results are given too. Null without segments. */
            segmentAttribute?: string | null;
            /** @description The values of the attribute, as the audience listed them when it was started. Null for a draft, and without segments. */
            segments?: components["schemas"]["Value"][] | null;
            /** @description The split that participants are given. Null for a draft, and if an earlier release started it with several splits. */
            split?: components["schemas"]["Split"][] | null;
            startedAt?: components["schemas"]["Time"] | null;
            state: components["schemas"]["ExperimentState"];
            stoppedAt?: components["schemas"]["Time"] | null;
        };
        /** @description A variant compared with the control. */
        ExperimentComparison: components["schemas"]["ExperimentDifference"] & {
            /**
             * Format: int64
             * @description The days that takes at the present rate. Null if nobody takes part.
             */
            neededDays?: number | null;
            /**
             * Format: int64
             * @description Participants in both variants who are needed until a difference like the one seen would be enough. Null if it is enough, or
             *     never will be.
             */
            neededParticipants?: number | null;
            outcome: components["schemas"]["ExperimentOutcome"];
            variantKey: components["schemas"]["Key"];
        };
        /** @description How many participants with a variant reached a goal. */
        ExperimentConversions: {
            /**
             * Format: int64
             * @description Participants who reached it after they had taken part.
             */
            participants: number;
            /**
             * Format: double
             * @description The share of the variant's participants, 0 to 1. Null without participants.
             */
            rate?: number | null;
            /**
             * Format: int64
             * @description How often they reached it in all.
             */
            times: number;
            variantKey: components["schemas"]["Key"];
        };
        /** @description The primary goal at the end of a day. */
        ExperimentDay: {
            /** @description Each variant compared with the control. */
            comparisons: components["schemas"]["ExperimentDayComparison"][];
            /** @description The beginning of the day in UTC. */
            day: components["schemas"]["Time"];
            /**
             * Format: int64
             * @description All participants so far.
             */
            participants: number;
        };
        /** @description A variant compared with the control, at the end of a day. */
        ExperimentDayComparison: components["schemas"]["ExperimentDifference"] & {
            variantKey: components["schemas"]["Key"];
        };
        /**
         * @description What is decided when an experiment is stopped.
         * @example {
         *       "decisionVariantKey": "on",
         *       "note": "More purchases, and no more errors."
         *     }
         */
        ExperimentDecision: {
            decisionVariantKey?: components["schemas"]["Key"] | null;
            note?: components["schemas"]["Comment"] | null;
        };
        /** @description The rate of a variant minus that of the control. */
        ExperimentDifference: {
            /**
             * Format: double
             * @description The difference that was seen, -1 to 1. Null while one of the two has no participants.
             */
            estimate?: number | null;
            /**
             * Format: double
             * @description The lower end of the 95% confidence sequence.
             */
            lower: number;
            /**
             * Format: double
             * @description The upper end of the 95% confidence sequence.
             */
            upper: number;
        };
        /**
         * @description Changes to an experiment. Missing fields stay the same. Only the name can be changed once it was started.
         * @example {
         *       "name": "Colour of the checkout button"
         *     }
         */
        ExperimentEdit: {
            audienceKey?: components["schemas"]["Key"] | null;
            controlVariantKey?: components["schemas"]["Key"] | null;
            goals?: components["schemas"]["ExperimentGoal"][] | null;
            name?: components["schemas"]["Name"] | null;
            /** Format: int32 */
            plannedDays?: number | null;
            /** Format: int64 */
            plannedParticipants?: number | null;
            segmentAttribute?: string | null;
        };
        /**
         * @description A goal of an experiment.
         * @example {
         *       "direction": "increase",
         *       "key": "purchase",
         *       "role": "primary"
         *     }
         */
        ExperimentGoal: {
            /** @description In which direction it is better. */
            direction?: components["schemas"]["Direction"];
            /** @description The goal's key. */
            key: string;
            /** @description What it is for. */
            role?: components["schemas"]["GoalRole"];
        };
        /** @description The results for a goal. */
        ExperimentGoalResult: {
            /** @description Each variant compared with the control. */
            comparisons: components["schemas"]["ExperimentComparison"][];
            direction: components["schemas"]["Direction"];
            key: string;
            role: components["schemas"]["GoalRole"];
            variants: components["schemas"]["ExperimentConversions"][];
        };
        /**
         * @description What a difference means for a goal, in its direction.
         * @enum {string}
         */
        ExperimentOutcome: "tooFew" | "undecided" | "better" | "worse";
        /**
         * @description The results of an experiment. They may be looked at at any time: intervals and the test of the split hold for all looks together.
         * @example {
         *       "days": [
         *         {
         *           "comparisons": [
         *             {
         *               "estimate": 0.00996,
         *               "lower": -0.0076,
         *               "upper": 0.0275,
         *               "variantKey": "on"
         *             }
         *           ],
         *           "day": "2026-11-23T00:00:00Z",
         *           "participants": 10000
         *         }
         *       ],
         *       "daysRun": 2.5,
         *       "goals": [
         *         {
         *           "comparisons": [
         *             {
         *               "estimate": 0.00996,
         *               "lower": -0.0076,
         *               "neededDays": 7,
         *               "neededParticipants": 24100,
         *               "outcome": "undecided",
         *               "upper": 0.0275,
         *               "variantKey": "on"
         *             }
         *           ],
         *           "direction": "increase",
         *           "key": "purchase",
         *           "role": "primary",
         *           "variants": [
         *             {
         *               "participants": 498,
         *               "rate": 0.1,
         *               "times": 540,
         *               "variantKey": "off"
         *             },
         *             {
         *               "participants": 552,
         *               "rate": 0.10996,
         *               "times": 603,
         *               "variantKey": "on"
         *             }
         *           ]
         *         }
         *       ],
         *       "segments": null,
         *       "split": {
         *         "isBroken": false,
         *         "pValue": 0.83,
         *         "probabilityBroken": 0.0004
         *       },
         *       "targetingChanged": false,
         *       "variants": [
         *         {
         *           "crossovers": 3,
         *           "isControl": true,
         *           "key": "off",
         *           "participants": 4980,
         *           "share": 50
         *         },
         *         {
         *           "crossovers": 1,
         *           "isControl": false,
         *           "key": "on",
         *           "participants": 5020,
         *           "share": 50
         *         }
         *       ]
         *     }
         */
        ExperimentResults: {
            /** @description The primary goal at the end of each day in UTC on which something was counted, oldest first. */
            days: components["schemas"]["ExperimentDay"][];
            /**
             * Format: double
             * @description How many days it has run, or ran until it was stopped.
             */
            daysRun: number;
            /** @description The results for each goal, in the experiment's order. */
            goals: components["schemas"]["ExperimentGoalResult"][];
            /**
             * @description The results for the participants with each value of the experiment's attribute. All segments of a goal share the probability of an
             *     error of 5%, so their intervals are wider. Null without segments.
             */
            segments?: components["schemas"]["ExperimentSegment"][] | null;
            split?: components["schemas"]["ExperimentSplit"] | null;
            /** @description Somebody changed the feature's targeting while it ran: what was counted before and after may not be comparable. */
            targetingChanged: boolean;
            /** @description The variants that are compared, the control first. */
            variants: components["schemas"]["ExperimentVariant"][];
        };
        /** @description The results for the participants in a segment. */
        ExperimentSegment: {
            /** @description The results for each goal, in the experiment's order. */
            goals: components["schemas"]["ExperimentGoalResult"][];
            /** @description The value of the attribute. */
            value: components["schemas"]["Value"];
            /** @description In the order of all variants that are compared. */
            variants: components["schemas"]["ExperimentSegmentVariant"][];
        };
        /** @description The participants in a segment with a variant. */
        ExperimentSegmentVariant: {
            key: components["schemas"]["Key"];
            /** Format: int64 */
            participants: number;
        };
        /** @description How participants were split. */
        ExperimentSplit: {
            /** @description Whether the p-value is at most 0.001. Then do not trust the results. */
            isBroken: boolean;
            /**
             * Format: double
             * @description The p-value of a test at the end of all days in UTC so far, and at the stop. It never rises.
             */
            pValue: number;
            /**
             * Format: double
             * @description The probability that the split is broken, if it was 1% before.
             */
            probabilityBroken: number;
        };
        /**
         * @description The state of an experiment.
         * @enum {string}
         */
        ExperimentState: "draft" | "running" | "stopped";
        /** @description The participants with a variant. */
        ExperimentVariant: {
            /**
             * Format: int64
             * @description Those of them who were given another variant later.
             */
            crossovers: number;
            /** @description Whether the others are compared with it. */
            isControl: boolean;
            key: components["schemas"]["Key"];
            /**
             * Format: int64
             * @description Users who took part, and were given this variant first.
             */
            participants: number;
            /**
             * Format: double
             * @description Its share of the participants in percent, as the rules gave it at the start. Null if the experiment has no split.
             */
            share?: number | null;
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
         *           "served": {
         *             "conditionalRules": 1,
         *             "onlyOffVariant": false,
         *             "splits": [
         *               {
         *                 "percentage": 25,
         *                 "variantKey": "on"
         *               },
         *               {
         *                 "percentage": 75,
         *                 "variantKey": "off"
         *               }
         *             ],
         *             "summary": "on for 1 rule, else on 25%"
         *           },
         *           "version": 17
         *         }
         *       ],
         *       "key": "express-checkout",
         *       "lifecycle": "Draft",
         *       "name": "Express checkout",
         *       "owner": {
         *         "id": "01938f2a-6f40-7d10-8c2f-1b2a3c4d5e6f",
         *         "name": "Edda Okafor"
         *       },
         *       "phase": {
         *         "environmentKey": "staging",
         *         "name": "Try"
         *       },
         *       "pipelineKey": "release",
         *       "tags": [
         *         "checkout"
         *       ],
         *       "type": "boolean",
         *       "variants": [
         *         "on",
         *         "off"
         *       ]
         *     }
         */
        Feature: {
            /** @description Every change of its targeting needs approval. */
            approvalRequired: boolean;
            description: string;
            /** @description Its state in each environment; only in lists with `environments=true`. */
            environments?: components["schemas"]["FeatureInEnvironment"][] | null;
            key: components["schemas"]["Key"];
            lifecycle: components["schemas"]["Lifecycle"];
            name: string;
            owner?: components["schemas"]["FeatureOwner"] | null;
            phase?: components["schemas"]["CurrentPhase"] | null;
            pipelineKey?: components["schemas"]["Key"] | null;
            tags: string[];
            type: components["schemas"]["ValueType"];
            variants: components["schemas"]["Key"][];
        };
        /** @description A change or deletion of a feature. */
        FeatureChange: {
            after?: components["schemas"]["FeatureRecord"] | null;
            /** @description The feature before the change. */
            before: components["schemas"]["FeatureRecord"];
        };
        /**
         * @description Changes to a feature. Missing fields stay the same.
         * @example {
         *       "lifecycle": "Active",
         *       "tags": [
         *         "checkout",
         *         "beta"
         *       ]
         *     }
         */
        FeatureEdit: {
            /** @description Removing this requirement needs the administrator role. */
            approvalRequired?: boolean | null;
            comment?: components["schemas"]["Comment"] | null;
            description?: components["schemas"]["Description"] | null;
            lifecycle?: components["schemas"]["Lifecycle"] | null;
            name?: components["schemas"]["Name"] | null;
            /** @description The id of the user who looks after it. Null: nobody. */
            ownerId?: string | null;
            pipelineKey?: components["schemas"]["Key"] | null;
            /** @description Each once, at most 50 or as many as there are. */
            tags?: components["schemas"]["Tag"][] | null;
            type?: components["schemas"]["ValueType"] | null;
            /** @description At least two. Variants that are served in an environment, and the control of a running experiment, can't be removed. */
            variants?: components["schemas"]["Key"][] | null;
        };
        /** @description The state of a feature in an environment. */
        FeatureInEnvironment: {
            enabled: boolean;
            environmentKey: components["schemas"]["Key"];
            offVariantKey: components["schemas"]["Key"];
            /** @description The approval that is pending there, if any. */
            pendingApprovalId?: string | null;
            /** @description The number of rules. */
            rules: number;
            /** @description What users get, in short. */
            served: components["schemas"]["ServedSummary"];
            /**
             * Format: int64
             * @description The version of the targeting, for If-Match.
             */
            version: number;
        };
        /**
         * @description How a feature is used in an environment. Pages count each feature once, and only a sample of them reports, so their counts are
         *     estimates. Services count every evaluation.
         * @example {
         *       "featureKey": "new-checkout",
         *       "firstSeenAt": "2026-10-02T08:15:00Z",
         *       "hours": [
         *         41,
         *         28,
         *         19,
         *         12,
         *         9,
         *         14,
         *         33,
         *         70,
         *         118,
         *         160,
         *         187,
         *         201,
         *         210,
         *         205,
         *         198,
         *         190,
         *         188,
         *         196,
         *         214,
         *         230,
         *         221,
         *         180,
         *         122,
         *         64
         *       ],
         *       "lastSeenAt": "2026-11-21T10:42:01Z",
         *       "stale": {
         *         "reason": "sameVariant",
         *         "since": "2026-10-23T00:00:00Z",
         *         "variantKey": "on"
         *       }
         *     }
         */
        FeatureInsights: {
            featureKey: string;
            firstSeenAt?: components["schemas"]["Time"] | null;
            /** @description The number of evaluations in each of the last 24 hours, oldest first. The last hour has begun. */
            hours: number[];
            lastSeenAt?: components["schemas"]["Time"] | null;
            stale?: components["schemas"]["StaleFeature"] | null;
        };
        /**
         * @description How a feature is used in an environment, by variant and kind of client.
         * @example {
         *       "days": [
         *         {
         *           "evaluations": [
         *             {
         *               "browser": 2480,
         *               "server": 61,
         *               "variantKey": "on"
         *             }
         *           ],
         *           "startsAt": "2026-11-21T00:00:00Z"
         *         }
         *       ],
         *       "featureKey": "new-checkout",
         *       "firstSeenAt": "2026-10-02T08:15:00Z",
         *       "hours": [
         *         {
         *           "evaluations": [
         *             {
         *               "browser": 120,
         *               "server": 3,
         *               "variantKey": "on"
         *             }
         *           ],
         *           "startsAt": "2026-11-21T10:00:00Z"
         *         }
         *       ],
         *       "lastSeenAt": "2026-11-21T10:42:01Z",
         *       "stale": null
         *     }
         */
        FeatureInsightsDetails: {
            /** @description The last 30 days in UTC, oldest first. The last one has begun. */
            days: components["schemas"]["EvaluationInterval"][];
            featureKey: string;
            firstSeenAt?: components["schemas"]["Time"] | null;
            /** @description The last 24 hours, oldest first. The last one has begun. */
            hours: components["schemas"]["EvaluationInterval"][];
            lastSeenAt?: components["schemas"]["Time"] | null;
            stale?: components["schemas"]["StaleFeature"] | null;
        };
        /** @description The person who looks after a feature. */
        FeatureOwner: {
            /** @description The id of the user. */
            id: string;
            name: string;
        };
        /** @description What an approver sees of a feature. */
        FeatureRecord: {
            approvalRequired: boolean;
            description: string;
            lifecycle: components["schemas"]["Lifecycle"];
            name: string;
            tags: string[];
            type: components["schemas"]["ValueType"];
            variants: components["schemas"]["Key"][];
        };
        /** @description Which changes are delivered. */
        Filter: {
            /** @description Ids of environments whose changes are delivered. Leave empty for all. */
            environmentIds?: string[];
        };
        /**
         * @description What can require approval.
         * @enum {string}
         */
        GateKind: "environment" | "feature" | "phase";
        /**
         * @description How often a goal was reached. A goal that is sent twice counts once.
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
            /** @description Counts by feature and variant. */
            features: {
                [key: string]: {
                    [key: string]: number;
                };
            };
            key: string;
        };
        /**
         * @description What a goal of an experiment is for.
         * @enum {string}
         */
        GoalRole: "primary" | "secondary" | "guard";
        /** @description A guard that tripped: a variant made it worse, so the variant's share is given to the control. */
        GuardTrip: {
            /** @description The approval that the change needs. Null if it was made at once. */
            approvalId?: string | null;
            at: components["schemas"]["Time"];
            goalKey: string;
            variantKey: components["schemas"]["Key"];
        };
        /** @description The settings of a webhook, without its URL and its signing secret. */
        HookConfiguration: {
            filter: components["schemas"]["Filter"];
            /** @description The scheme, host and port of the URL, whose rest is secret; null if the stored URL cannot be decrypted. */
            origin?: string | null;
        };
        /**
         * @description What the identity provider says of a person.
         * @example {
         *       "email": "edda@acme.example"
         *     }
         */
        Identity: {
            /** @description Missing if the provider has not sent it. */
            email?: string | null;
        };
        /** @description An audience whose conditions are copied into the rule. */
        InlinedAudience: {
            key: components["schemas"]["Key"];
            name: string;
        };
        /**
         * @description What kind of destination it is.
         * @enum {string}
         */
        IntegrationType: "analytics" | "webhook" | "slack";
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
         *           "createdBy": "01938f2a-6f40-7d10-8c2f-1b2a3c4d5e6f",
         *           "expiresAt": "2099-01-01T00:00:00Z",
         *           "hint": "x7qk",
         *           "id": "01938f2a-6f40-7c3d-9b1e-4a5d6c7e8f90",
         *           "lastUsedAt": "2026-11-21T11:00:00Z",
         *           "name": "Deploy robot",
         *           "scope": {
         *             "access": "readWrite",
         *             "environments": [
         *               {
         *                 "environmentKey": "staging",
         *                 "projectKey": "shop"
         *               }
         *             ],
         *             "projects": []
         *           },
         *           "userId": "01938f2a-6f40-7d10-8c2f-1b2a3c4d5e6f"
         *         }
         *       ],
         *       "nextCursor": "c2hvcA"
         *     }
         */
        List_AccessToken: {
            /** @description The items of this page, in the list's order. */
            items: {
                createdAt: components["schemas"]["Time"];
                /** @description The id of the person who created it; null if it is not known. */
                createdBy?: string | null;
                expiresAt?: components["schemas"]["Time"] | null;
                /** @description The token's last characters. */
                hint: string;
                id: string;
                lastUsedAt?: components["schemas"]["Time"] | null;
                name: string;
                scope?: components["schemas"]["TokenScope"] | null;
                /** @description The token itself, only in the response that creates it. */
                token?: string | null;
                userId: string;
            }[];
            /** @description Pass it as `cursor` to get the next page. Missing on the last page. */
            nextCursor?: string | null;
        };
        /**
         * @description A page of a list.
         * @example {
         *       "items": [
         *         {
         *           "comment": "Half of Denmark, for the weekend.",
         *           "copyId": null,
         *           "decidedAt": null,
         *           "decidedBy": null,
         *           "decidedWith": null,
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
         *           "scheduledFor": null,
         *           "settledAt": null,
         *           "sourceEnvironmentKey": null,
         *           "state": "pending",
         *           "targetVersion": 17
         *         }
         *       ],
         *       "nextCursor": "c2hvcA"
         *     }
         */
        List_ApprovalSummary: {
            /** @description The items of this page, in the list's order. */
            items: {
                /** @description The requester's comment. */
                comment: string;
                /** @description All approvals that one copy requested have the same. Null unless `kind` is `copy`. */
                copyId?: string | null;
                decidedAt?: components["schemas"]["Time"] | null;
                decidedBy?: components["schemas"]["Person"] | null;
                decidedWith?: components["schemas"]["TokenRef"] | null;
                /** @description Of a change of the feature itself, which concerns all environments: one of them. */
                environmentKey: components["schemas"]["Key"];
                featureKey: components["schemas"]["Key"];
                id: string;
                kind: components["schemas"]["ChangeKind"];
                /** @description What required the approval. Empty for a change that only waits for its time. */
                reasons: components["schemas"]["ApprovalReason"][];
                requestedAt: components["schemas"]["Time"];
                requestedBy: components["schemas"]["Person"];
                scheduledFor?: components["schemas"]["Time"] | null;
                settledAt?: components["schemas"]["Time"] | null;
                sourceEnvironmentKey?: components["schemas"]["Key"] | null;
                state: components["schemas"]["ApprovalState"];
                /**
                 * Format: int64
                 * @description The version of the targeting before the change; of the feature if the change is one of the feature.
                 */
                targetVersion: number;
            }[];
            /** @description Pass it as `cursor` to get the next page. Missing on the last page. */
            nextCursor?: string | null;
        };
        /**
         * @description A page of a list.
         * @example {
         *       "items": [
         *         {
         *           "comment": "Half of Denmark, for the weekend.",
         *           "copyId": null,
         *           "decidedAt": null,
         *           "decidedBy": null,
         *           "decidedWith": null,
         *           "environmentKey": "production",
         *           "environmentName": "Production",
         *           "featureKey": "new-checkout",
         *           "featureName": "New checkout",
         *           "id": "01938f2a-6f40-7c3d-9b1e-4a5d6c7e8f90",
         *           "kind": "edit",
         *           "production": true,
         *           "projectKey": "shop",
         *           "projectName": "Shop",
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
         *           "scheduledFor": null,
         *           "settledAt": null,
         *           "sourceEnvironmentKey": null,
         *           "sourceEnvironmentName": null,
         *           "state": "pending",
         *           "targetVersion": 17
         *         }
         *       ],
         *       "nextCursor": "c2hvcA"
         *     }
         */
        List_ApprovalToDecide: {
            /** @description The items of this page, in the list's order. */
            items: (components["schemas"]["ApprovalSummary"] & {
                environmentName: string;
                featureName: string;
                /** @description Whether the change is in a production environment. A change of the feature itself is in all environments of the project. */
                production: boolean;
                projectKey: components["schemas"]["Key"];
                projectName: string;
                /** @description Null unless `kind` is `copy`. */
                sourceEnvironmentName?: string | null;
            })[];
            /** @description Pass it as `cursor` to get the next page. Missing on the last page. */
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
            /** @description The items of this page, in the list's order. */
            items: {
                conditions: components["schemas"]["Condition"][];
                environmentKey?: components["schemas"]["Key"] | null;
                key: components["schemas"]["Key"];
                name: string;
                /** @description Where it is used; only in the response for a single audience. */
                usedIn?: components["schemas"]["AudienceUse"][] | null;
            }[];
            /** @description Pass it as `cursor` to get the next page. Missing on the last page. */
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
         *           "token": {
         *             "createdBy": "01938f2a-6f40-7d10-8c2f-1b2a3c4d5e6f",
         *             "id": "01938f2a-6f40-7e20-9d3a-2b3c4d5e6f70"
         *           },
         *           "userId": "01938f2a-6f40-7d10-8c2f-1b2a3c4d5e6f",
         *           "userName": "Edda Okafor"
         *         }
         *       ],
         *       "nextCursor": "c2hvcA"
         *     }
         */
        List_AuditEntry: {
            /** @description The items of this page, in the list's order. */
            items: {
                /** @description What was done, such as `targeting.update`. */
                action: string;
                /** @description The resource after the change; null if it was deleted. */
                after?: {
                    [key: string]: unknown;
                } | null;
                at: components["schemas"]["Time"];
                /** @description The resource before the change; null if it was created. */
                before?: {
                    [key: string]: unknown;
                } | null;
                id: string;
                /** @description The changed resource: its path below `/api/v1`. */
                resource: string;
                token?: components["schemas"]["TokenRef"] | null;
                userId: string;
                /** @description The person's name at that time. */
                userName: string;
            }[];
            /** @description Pass it as `cursor` to get the next page. Missing on the last page. */
            nextCursor?: string | null;
        };
        /**
         * @description A page of a list.
         * @example {
         *       "items": [
         *         {
         *           "approvalId": null,
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
         *           "type": "feature.changed",
         *           "userName": "Ada"
         *         }
         *       ],
         *       "nextCursor": "c2hvcA"
         *     }
         */
        List_Delivery: {
            /** @description The items of this page, in the list's order. */
            items: {
                /** @description The approval; null for changes. */
                approvalId?: string | null;
                attempts: components["schemas"]["DeliveryAttempt"][];
                /** @description When the change was made, or the approval requested or decided. */
                changedAt: components["schemas"]["Time"];
                environmentKey: string;
                featureKey: string;
                /**
                 * Format: int64
                 * @description Its position in the order of changes.
                 */
                id: number;
                projectKey: string;
                settledAt?: components["schemas"]["Time"] | null;
                state: components["schemas"]["DeliveryState"];
                /** @description Whether it is a test event. */
                test: boolean;
                /** @description What it is about: `feature.changed`, `approval.requested`, `approval.decided`, `approval.withdrawn` or `approval.stale`. */
                type: string;
                /** @description The person who made the change, or requested or decided on the approval. */
                userName: string;
            }[];
            /** @description Pass it as `cursor` to get the next page. Missing on the last page. */
            nextCursor?: string | null;
        };
        /**
         * @description A page of a list.
         * @example {
         *       "items": [
         *         {
         *           "createdAt": "2026-11-21T10:42:01Z",
         *           "environmentKeys": [
         *             "staging"
         *           ],
         *           "hint": "m4tz",
         *           "id": "01938f2a-6f40-7c3d-9b1e-4a5d6c7e8f91",
         *           "lastUsedAt": "2026-11-21T11:00:00Z",
         *           "name": "Stockholm"
         *         }
         *       ],
         *       "nextCursor": "c2hvcA"
         *     }
         */
        List_EdgeKey: {
            /** @description The items of this page, in the list's order. */
            items: {
                createdAt: components["schemas"]["Time"];
                /**
                 * @description The keys of the environments that it gives access to. Missing if it gives access to the whole project, also to environments that
                 *     are added later. Empty if all of them have been deleted: it gives access to nothing.
                 */
                environmentKeys?: components["schemas"]["Key"][] | null;
                /** @description The key's last characters. */
                hint: string;
                id: string;
                /** @description The key itself, only in the response that creates it. */
                key?: string | null;
                lastUsedAt?: components["schemas"]["Time"] | null;
                name: string;
            }[];
            /** @description Pass it as `cursor` to get the next page. Missing on the last page. */
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
            /** @description The items of this page, in the list's order. */
            items: {
                /** @description Origins allowed to use client keys. Empty if all are allowed. */
                allowedOrigins: string[];
                /** @description Every targeting change here needs approval. */
                approvalRequired: boolean;
                id: string;
                key: components["schemas"]["Key"];
                name: string;
                /** @description Changing targeting here requires the production editor role. */
                production: boolean;
                /**
                 * Format: int64
                 * @description Increases with each change of what clients get.
                 */
                version: number;
            }[];
            /** @description Pass it as `cursor` to get the next page. Missing on the last page. */
            nextCursor?: string | null;
        };
        /**
         * @description A page of a list.
         * @example {
         *       "items": [
         *         {
         *           "audienceKey": null,
         *           "controlVariantKey": "off",
         *           "decisionVariantKey": null,
         *           "featureKey": "new-checkout",
         *           "goals": [
         *             {
         *               "direction": "increase",
         *               "key": "purchase",
         *               "role": "primary"
         *             },
         *             {
         *               "direction": "decrease",
         *               "key": "payment-error",
         *               "role": "guard"
         *             }
         *           ],
         *           "guardTrips": [],
         *           "key": "checkout-colour",
         *           "name": "Colour of the checkout",
         *           "note": null,
         *           "plannedDays": 14,
         *           "plannedParticipants": 20000,
         *           "segmentAttribute": null,
         *           "segments": null,
         *           "split": [
         *             {
         *               "percentage": 50,
         *               "variantKey": "off"
         *             },
         *             {
         *               "percentage": 50,
         *               "variantKey": "on"
         *             }
         *           ],
         *           "startedAt": "2026-11-21T10:42:01Z",
         *           "state": "running",
         *           "stoppedAt": null
         *         }
         *       ],
         *       "nextCursor": "c2hvcA"
         *     }
         */
        List_Experiment: {
            /** @description The items of this page, in the list's order. */
            items: {
                audienceKey?: components["schemas"]["Key"] | null;
                /** @description The variant that the others are compared with. */
                controlVariantKey: components["schemas"]["Key"];
                decisionVariantKey?: components["schemas"]["Key"] | null;
                featureKey: components["schemas"]["Key"];
                /** @description What is measured. Exactly one goal is the primary one. */
                goals: components["schemas"]["ExperimentGoal"][];
                /** @description The guards that tripped, oldest first. */
                guardTrips: components["schemas"]["GuardTrip"][];
                key: components["schemas"]["Key"];
                name: string;
                /** @description What was said of the decision. Null until it is stopped. */
                note?: string | null;
                /**
                 * Format: int32
                 * @description The planned length in days.
                 */
                plannedDays: number;
                /**
                 * Format: int64
                 * @description The number of participants in all variants at which the intervals are narrowest.
                 */
                plannedParticipants: number;
                /** @description The attribute for whose values results are given too. Null without segments. */
                segmentAttribute?: string | null;
                /** @description The values of the attribute, as the audience listed them when it was started. Null for a draft, and without segments. */
                segments?: components["schemas"]["Value"][] | null;
                /** @description The split that participants are given. Null for a draft, and if an earlier release started it with several splits. */
                split?: components["schemas"]["Split"][] | null;
                startedAt?: components["schemas"]["Time"] | null;
                state: components["schemas"]["ExperimentState"];
                stoppedAt?: components["schemas"]["Time"] | null;
            }[];
            /** @description Pass it as `cursor` to get the next page. Missing on the last page. */
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
         *               "served": {
         *                 "conditionalRules": 1,
         *                 "onlyOffVariant": false,
         *                 "splits": [
         *                   {
         *                     "percentage": 25,
         *                     "variantKey": "on"
         *                   },
         *                   {
         *                     "percentage": 75,
         *                     "variantKey": "off"
         *                   }
         *                 ],
         *                 "summary": "on for 1 rule, else on 25%"
         *               },
         *               "version": 17
         *             }
         *           ],
         *           "key": "express-checkout",
         *           "lifecycle": "Draft",
         *           "name": "Express checkout",
         *           "owner": {
         *             "id": "01938f2a-6f40-7d10-8c2f-1b2a3c4d5e6f",
         *             "name": "Edda Okafor"
         *           },
         *           "phase": {
         *             "environmentKey": "staging",
         *             "name": "Try"
         *           },
         *           "pipelineKey": "release",
         *           "tags": [
         *             "checkout"
         *           ],
         *           "type": "boolean",
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
            /** @description The items of this page, in the list's order. */
            items: {
                /** @description Every change of its targeting needs approval. */
                approvalRequired: boolean;
                description: string;
                /** @description Its state in each environment; only in lists with `environments=true`. */
                environments?: components["schemas"]["FeatureInEnvironment"][] | null;
                key: components["schemas"]["Key"];
                lifecycle: components["schemas"]["Lifecycle"];
                name: string;
                owner?: components["schemas"]["FeatureOwner"] | null;
                phase?: components["schemas"]["CurrentPhase"] | null;
                pipelineKey?: components["schemas"]["Key"] | null;
                tags: string[];
                type: components["schemas"]["ValueType"];
                variants: components["schemas"]["Key"][];
            }[];
            /** @description Pass it as `cursor` to get the next page. Missing on the last page. */
            nextCursor?: string | null;
        };
        /**
         * @description A page of a list.
         * @example {
         *       "items": [
         *         {
         *           "featureKey": "new-checkout",
         *           "firstSeenAt": "2026-10-02T08:15:00Z",
         *           "hours": [
         *             41,
         *             28,
         *             19,
         *             12,
         *             9,
         *             14,
         *             33,
         *             70,
         *             118,
         *             160,
         *             187,
         *             201,
         *             210,
         *             205,
         *             198,
         *             190,
         *             188,
         *             196,
         *             214,
         *             230,
         *             221,
         *             180,
         *             122,
         *             64
         *           ],
         *           "lastSeenAt": "2026-11-21T10:42:01Z",
         *           "stale": {
         *             "reason": "sameVariant",
         *             "since": "2026-10-23T00:00:00Z",
         *             "variantKey": "on"
         *           }
         *         }
         *       ],
         *       "nextCursor": "c2hvcA"
         *     }
         */
        List_FeatureInsights: {
            /** @description The items of this page, in the list's order. */
            items: {
                featureKey: string;
                firstSeenAt?: components["schemas"]["Time"] | null;
                /** @description The number of evaluations in each of the last 24 hours, oldest first. The last hour has begun. */
                hours: number[];
                lastSeenAt?: components["schemas"]["Time"] | null;
                stale?: components["schemas"]["StaleFeature"] | null;
            }[];
            /** @description Pass it as `cursor` to get the next page. Missing on the last page. */
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
            /** @description The items of this page, in the list's order. */
            items: {
                /** Format: int64 */
                count: number;
                /** @description Counts by feature and variant. */
                features: {
                    [key: string]: {
                        [key: string]: number;
                    };
                };
                key: string;
            }[];
            /** @description Pass it as `cursor` to get the next page. Missing on the last page. */
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
            /** @description The items of this page, in the list's order. */
            items: {
                backlog: components["schemas"]["BacklogView"];
                configuration: components["schemas"]["Configuration"];
                /** @description Whether it is enabled and the last delivery did not fail. */
                delivering: boolean;
                enabled: boolean;
                id: string;
                /** @description Always true: the integration exists. */
                installed: boolean;
                lastDeliveryAt?: components["schemas"]["Time"] | null;
                /** @description The HTTP status and response of the destination, or why there was none. */
                lastDeliveryDetail?: string | null;
                lastDeliverySuccess?: boolean | null;
                /** @description The secret that signs a webhook's requests, only in the response that creates the webhook. */
                signingSecret?: string;
                type: components["schemas"]["IntegrationType"];
            }[];
            /** @description Pass it as `cursor` to get the next page. Missing on the last page. */
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
            /** @description The items of this page, in the list's order. */
            items: {
                key: components["schemas"]["Key"];
                name: string;
                /** @description In the order in which features go through them. */
                phases: components["schemas"]["Phase"][];
            }[];
            /** @description Pass it as `cursor` to get the next page. Missing on the last page. */
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
            /** @description The items of this page, in the list's order. */
            items: {
                key: components["schemas"]["Key"];
                name: string;
            }[];
            /** @description Pass it as `cursor` to get the next page. Missing on the last page. */
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
         *           "lastUsedAt": "2026-11-21T11:00:00Z",
         *           "name": "Web shop"
         *         }
         *       ],
         *       "nextCursor": "c2hvcA"
         *     }
         */
        List_SdkKey: {
            /** @description The items of this page, in the list's order. */
            items: {
                createdAt: components["schemas"]["Time"];
                /** @description The key's last characters. */
                hint: string;
                id: string;
                /** @description The key itself, only in the response that creates it. */
                key?: string | null;
                lastUsedAt?: components["schemas"]["Time"] | null;
                name: string;
            }[];
            /** @description Pass it as `cursor` to get the next page. Missing on the last page. */
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
            /** @description The items of this page, in the list's order. */
            items: {
                id: string;
                identity?: components["schemas"]["Identity"] | null;
                name: string;
                role: components["schemas"]["Role"];
            }[];
            /** @description Pass it as `cursor` to get the next page. Missing on the last page. */
            nextCursor?: string | null;
        };
        Name: string;
        /**
         * @description The fields of a new token.
         * @example {
         *       "expiresAt": "2099-01-01T00:00:00Z",
         *       "name": "Deploy robot",
         *       "scope": {
         *         "access": "readWrite",
         *         "environments": [
         *           {
         *             "environmentKey": "staging",
         *             "projectKey": "shop"
         *           }
         *         ]
         *       }
         *     }
         */
        NewAccessToken: {
            expiresAt?: components["schemas"]["Time"] | null;
            name: components["schemas"]["Name"];
            scope?: components["schemas"]["TokenScope"] | null;
            userId?: components["schemas"]["Text"] | null;
        };
        /** @description The settings of an analytics service to write. */
        NewAnalyticsConfiguration: {
            /** @description The analytics project's API key. Leave blank to keep the stored key. */
            apiKey?: string | null;
            filter?: components["schemas"]["Filter"] | null;
            /** @description The region of the analytics project. Its keys work only there. */
            region: components["schemas"]["Region"];
            /** @description The analytics project's secret key. Leave blank to keep the stored key. */
            secretKey?: string | null;
        };
        /**
         * @description The fields of a new audience.
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
         * @description The fields of a new comment.
         * @example {
         *       "comment": "Why Denmark first?"
         *     }
         */
        NewComment: {
            comment: components["schemas"]["Remark"];
        };
        /** @description The settings of the destination to write, under the name of the integration's type and no other. */
        NewConfiguration: {
            analytics?: components["schemas"]["NewAnalyticsConfiguration"];
            slack?: components["schemas"]["NewHookConfiguration"];
            webhook?: components["schemas"]["NewHookConfiguration"];
        };
        /**
         * @description The fields of a new edge key.
         * @example {
         *       "environmentKeys": [
         *         "staging"
         *       ],
         *       "name": "Stockholm"
         *     }
         */
        NewEdgeKey: {
            /**
             * @description The keys of the environments that it gives access to. Leave it out for the whole project, also for environments that are added
             *     later.
             */
            environmentKeys?: components["schemas"]["Key"][] | null;
            name: components["schemas"]["Name"];
        };
        /**
         * @description The fields of a new environment.
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
            /** @description Origins allowed to use client keys, as browsers send them, such as `https://shop.example`. Empty if all are allowed. */
            allowedOrigins?: string[];
            approvalRequired?: boolean;
            key: components["schemas"]["Key"];
            name: components["schemas"]["Name"];
            production?: boolean;
        };
        /**
         * @description The person or the user to erase.
         * @example {
         *       "userId": "user-8c2f"
         *     }
         */
        NewErasure: {
            /** @description The id of a person, also of one who has been removed, or the id of a user as your pages send it. */
            userId: string;
        };
        /**
         * @description The fields of a new experiment.
         * @example {
         *       "featureKey": "new-checkout",
         *       "goals": [
         *         {
         *           "key": "purchase",
         *           "role": "primary"
         *         },
         *         {
         *           "direction": "decrease",
         *           "key": "payment-error",
         *           "role": "guard"
         *         }
         *       ],
         *       "key": "checkout-colour",
         *       "name": "Colour of the checkout",
         *       "plannedDays": 14,
         *       "plannedParticipants": 20000
         *     }
         */
        NewExperiment: {
            audienceKey?: components["schemas"]["Key"] | null;
            controlVariantKey?: components["schemas"]["Key"] | null;
            featureKey: components["schemas"]["Key"];
            /** @description What is measured: 1 to 10 goals, exactly one of which has the role `primary`. */
            goals: components["schemas"]["ExperimentGoal"][];
            key: components["schemas"]["Key"];
            name: components["schemas"]["Name"];
            /**
             * Format: int32
             * @description The planned length in days: 1 to 365, 14 by default.
             */
            plannedDays?: number | null;
            /**
             * Format: int64
             * @description The number of participants in all variants at which the intervals are narrowest: 10,000 by default. Choose what you expect.
             */
            plannedParticipants?: number | null;
            /**
             * @description The attribute for whose values results are given too. The audience must list 2 to 20 values of it in a condition with the operator
             *     `in`. None by default.
             */
            segmentAttribute?: string | null;
        };
        /**
         * @description The fields of a new feature.
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
            /** @description The id of the user who looks after it. Default: nobody. */
            ownerId?: string | null;
            pipelineKey?: components["schemas"]["Key"] | null;
            /** @description Each once. */
            tags?: components["schemas"]["Tag"][];
            type?: components["schemas"]["ValueType"] | null;
            /** @description At least two. Default: `on` and `off`. */
            variants?: components["schemas"]["Key"][] | null;
        };
        /** @description The settings of a webhook to write. */
        NewHookConfiguration: {
            filter?: components["schemas"]["Filter"] | null;
            /** @description Where requests are sent, with https. It is stored encrypted. Leave blank to keep the stored URL. */
            url?: string | null;
        };
        /**
         * @description The settings of an integration. Both keys, or the URL, are required to create one.
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
        /** @description A phase of a pipeline to write. */
        NewPhase: {
            approvalRequired?: boolean;
            environmentKey: components["schemas"]["Key"];
            name: components["schemas"]["Name"];
        };
        /**
         * @description The fields of a new pipeline.
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
            /** @description At least one, in the order in which features go through them. */
            phases: components["schemas"]["NewPhase"][];
        };
        /**
         * @description The caller's new favourites and saved views. They replace all that were there.
         * @example {
         *       "favourites": [
         *         "express-checkout"
         *       ],
         *       "views": [
         *         {
         *           "name": "My experiments",
         *           "query": "tag=experiment&sort=name"
         *         }
         *       ]
         *     }
         */
        NewPreferences: {
            /** @description The keys of features. Duplicates are ignored. */
            favourites: components["schemas"]["Key"][];
            /** @description Each has another name. */
            views: components["schemas"]["NewView"][];
        };
        /**
         * @description The fields of a new project.
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
         * @description The fields of a new key.
         * @example {
         *       "name": "Web shop"
         *     }
         */
        NewSdkKey: {
            name: components["schemas"]["Name"];
        };
        /**
         * @description The fields of a new person.
         * @example {
         *       "name": "Edda Okafor",
         *       "role": "editor"
         *     }
         */
        NewUser: {
            name: components["schemas"]["Name"];
            role: components["schemas"]["Role"];
        };
        /** @description A filter of the feature list with a name. */
        NewView: {
            name: components["schemas"]["Name"];
            /** @description The filter and the order as in the URL of the list, without the question mark. */
            query: components["schemas"]["ViewQuery"];
        };
        /**
         * @description The expected state of a feature that moves to its next phase.
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
         * @description Changes to an organisation. Missing fields stay the same.
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
            /** @description Whether it is enabled and the last delivery did not fail. */
            delivering: boolean;
            enabled: boolean;
            id: string;
            /** @description Always true: the integration exists. */
            installed: boolean;
            lastDeliveryAt?: components["schemas"]["Time"] | null;
            /** @description The HTTP status and response of the destination, or why there was none. */
            lastDeliveryDetail?: string | null;
            lastDeliverySuccess?: boolean | null;
            /** @description The secret that signs a webhook's requests, only in the response that creates the webhook. */
            signingSecret?: string;
            type: components["schemas"]["IntegrationType"];
        };
        /**
         * @description The outcome of copying one feature.
         * @enum {string}
         */
        OutcomeKind: "APPLIED" | "PENDING_APPROVAL" | "SCHEDULED" | "SKIPPED";
        /** @description A percentage in steps of 0.001. */
        Percentage: number;
        /** @description A person, with their name at that time. */
        Person: {
            id: string;
            name: string;
        };
        /** @description A phase of a pipeline. */
        Phase: {
            /** @description Targeting changes in the phase's environment need approval. */
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
            /** @description In the order in which features go through them. */
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
         * @description Changes to a pipeline. Missing fields stay the same.
         * @example {
         *       "name": "Weekly release"
         *     }
         */
        PipelineEdit: {
            name?: components["schemas"]["Name"] | null;
            /** @description At least one. */
            phases?: components["schemas"]["NewPhase"][] | null;
        };
        /**
         * @description The caller's favourites and saved views of a project's feature list.
         * @example {
         *       "favourites": [
         *         "express-checkout"
         *       ],
         *       "views": [
         *         {
         *           "name": "My experiments",
         *           "query": "tag=experiment&sort=name"
         *         }
         *       ]
         *     }
         */
        Preferences: {
            /** @description The keys of features. Keys of deleted features are kept. */
            favourites: components["schemas"]["Key"][];
            views: components["schemas"]["SavedView"][];
        };
        /**
         * @description The variant that the user gets, and why.
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
             * @description The user's position in the split of every rule, in thousandths of a percent, 0 to 99999.
             */
            bucket: number;
            /** @description Whether targeting is on. */
            enabled: boolean;
            reason: components["schemas"]["PreviewReason"];
            /**
             * Format: int32
             * @description The index of the first matching rule, from 0. Null if no rule matches.
             */
            ruleIndex?: number | null;
            /** @description The name of that rule, which may be empty. Null if no rule matches. */
            ruleName?: string | null;
            rules: components["schemas"]["PreviewedRule"][];
            share?: components["schemas"]["PreviewShare"] | null;
            variantKey: components["schemas"]["Key"];
        };
        /**
         * @description The user, time and targeting to evaluate.
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
         * @description Why the user gets the variant.
         * @enum {string}
         */
        PreviewReason: "off" | "rule" | "noRule";
        /** @description A variant's range of buckets in a rule's split, in thousandths of a percent. */
        PreviewShare: {
            /**
             * Format: int32
             * @description The first bucket.
             */
            from: number;
            /**
             * Format: int32
             * @description The first bucket after the range, at most 100000.
             */
            to: number;
            variantKey: components["schemas"]["Key"];
        };
        /** @description A user, in the form that clients send. */
        PreviewUser: {
            /** @description Attributes by name. A value is a string, a number, a boolean, or a list of these. */
            attributes?: {
                [key: string]: unknown;
            };
            /** @description Default: a user without an id. */
            id?: string;
        };
        /** @description A condition, and whether the user matches it. */
        PreviewedCondition: {
            attribute: string;
            matched: boolean;
            operator: components["schemas"]["Operator"];
            values: components["schemas"]["Value"][];
        };
        /** @description A rule, and whether it matches the user. No rule matches while targeting is off. */
        PreviewedRule: {
            audienceKey?: components["schemas"]["Key"] | null;
            conditions: components["schemas"]["PreviewedCondition"][];
            index: number;
            matched: boolean;
            name: string;
        };
        /**
         * @description The body of every error response.
         * @example {
         *       "detail": "The body is invalid: a name cannot be blank: write something by which people know it.",
         *       "errors": [
         *         {
         *           "detail": "a name cannot be blank: write something by which people know it",
         *           "pointer": "/name"
         *         }
         *       ],
         *       "status": 422,
         *       "title": "Unprocessable Entity",
         *       "type": "/problems/invalid"
         *     }
         */
        Problem: {
            /** @description For `pending-approval`: the id of the pending approval. */
            approvalId?: string | null;
            /** @description What is wrong and how to fix it. */
            detail: string;
            errors?: components["schemas"]["Invalid"][];
            /** Format: int32 */
            status: number;
            title: string;
            /** @description Identifies the kind of error. It never changes. */
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
         * @description Changes to a project. Missing fields stay the same.
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
        /** @description A filter of the feature list with a name. */
        SavedView: {
            /** @description For the person. */
            name: string;
            /** @description The filter and the order as in the URL of the list, without the question mark. */
            query: string;
        };
        /** @description An environment that a token may be used for. */
        ScopedEnvironment: {
            environmentKey: components["schemas"]["Key"];
            projectKey: components["schemas"]["Key"];
        };
        /**
         * @description A client key or a server key.
         * @example {
         *       "createdAt": "2026-11-21T10:42:01Z",
         *       "hint": "x7qk",
         *       "id": "01938f2a-6f40-7c3d-9b1e-4a5d6c7e8f90",
         *       "lastUsedAt": "2026-11-21T11:00:00Z",
         *       "name": "Web shop"
         *     }
         */
        SdkKey: {
            createdAt: components["schemas"]["Time"];
            /** @description The key's last characters. */
            hint: string;
            id: string;
            /** @description The key itself, only in the response that creates it. */
            key?: string | null;
            lastUsedAt?: components["schemas"]["Time"] | null;
            name: string;
        };
        /** @description What users get of a feature in an environment. */
        ServedSummary: {
            /** @description The number of rules with conditions that make a difference. */
            conditionalRules: number;
            /** @description Whether everyone gets the off variant. This is also possible while targeting is on. */
            onlyOffVariant: boolean;
            /** @description What users get whom none of these rules matches: everyone, if there are no such rules. Empty if the feature is not served. */
            splits: components["schemas"]["Split"][];
            /**
             * @description The other fields in a few words: `serves off`, `on 25%`, `on for 2 rules`, `on for 1 rule, else on 25%`. Where something
             *     else is served, the off variant is left out. An archived feature is `not served`, and so is one without
             *     `off` that nobody has targeted yet in an environment that was created as production or with approval required.
             */
            summary: string;
        };
        /**
         * @description A set-up link.
         * @example {
         *       "expiresAt": "2026-11-28T10:42:01Z",
         *       "url": "https://flags.example/set-up#setup-4f7k2m9q0w8e6r5t3y1u"
         *     }
         */
        SetupLink: {
            expiresAt: components["schemas"]["Time"];
            /**
             * @description Send it to the person. It works once, and only the response that creates it shows it; without a public URL of the
             *     service it is a path.
             */
            url?: string | null;
        };
        /**
         * @description A new signing secret.
         * @example {
         *       "signingSecret": "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
         *     }
         */
        SigningSecret: {
            /** @description `whsec_` and the key in base64, as the libraries of Standard Webhooks take it. Not in the response to a repeat. */
            signingSecret?: string;
        };
        /** @description Why a feature was skipped. */
        SkipReason: {
            /**
             * @description One of `unknownFeature`, `archived`, `pendingApproval`, `scheduledLater`, `targetChanged`, `sourceChanged`, `identical`,
             *     `unknownAudience`, `invalid`, `notPermitted`.
             */
            code: string;
            /** @description An explanation for people. */
            detail: string;
        };
        /** @description A variant and the percentage of the rule's users who get it. */
        Split: {
            /** @description Its share of the users. */
            percentage: components["schemas"]["Percentage"];
            /** @description The variant. */
            variantKey: components["schemas"]["Key"];
        };
        /**
         * @description Why a feature may no longer be needed.
         * @example {
         *       "reason": "sameVariant",
         *       "since": "2026-10-23T00:00:00Z",
         *       "variantKey": "on"
         *     }
         */
        StaleFeature: {
            /** @enum {string} */
            reason: "notEvaluated";
            /** @description The last evaluation, or when the feature was created. */
            since: components["schemas"]["Time"];
        } | {
            /** @enum {string} */
            reason: "sameVariant";
            /** @description Begin of the first of these days on which it was evaluated. */
            since: components["schemas"]["Time"];
            variantKey: string;
        };
        /** @description Why an approval is stale. */
        Staleness: {
            because: components["schemas"]["StalenessKind"];
            /** @description An explanation for people. */
            detail: string;
        };
        /**
         * @description Why an approval can be stale.
         * @enum {string}
         */
        StalenessKind: "targetChanged" | "notInTime" | "notPermitted" | "featureChanged" | "audienceChanged" | "featureArchived" | "invalid";
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
         * @description Changes to targeting. Missing fields stay the same.
         * @example {
         *       "enabled": false
         *     }
         */
        TargetingEdit: {
            comment?: components["schemas"]["Comment"] | null;
            enabled?: boolean | null;
            offVariantKey?: components["schemas"]["Key"] | null;
            rules?: components["schemas"]["Rule"][] | null;
            /**
             * Format: date-time
             * @description When to make the change, within a year. It is made for what the targeting is then by the changes that are already scheduled; a
             *     change that is not in the schedule makes it stale.
             */
            scheduledFor?: string | null;
        };
        /**
         * @description The targeting that replaces the current one.
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
            /**
             * Format: date-time
             * @description When to make the change; see `updateTargeting`.
             */
            scheduledFor?: string | null;
        };
        /**
         * @description The targeting of a feature in an environment, with its version.
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
         *       "served": {
         *         "conditionalRules": 1,
         *         "onlyOffVariant": false,
         *         "splits": [
         *           {
         *             "percentage": 100,
         *             "variantKey": "off"
         *           }
         *         ],
         *         "summary": "on 20% for 1 rule"
         *       },
         *       "version": 17
         *     }
         */
        TargetingView: {
            enabled: boolean;
            offVariantKey: components["schemas"]["Key"];
            rules: components["schemas"]["Rule"][];
            /** @description What users get, in short. */
            served: components["schemas"]["ServedSummary"];
            /** Format: int64 */
            version: number;
        };
        /** @description A string without NUL characters, which PostgreSQL cannot store. */
        Text: string;
        /**
         * Format: date-time
         * @description A time with millisecond precision.
         * @example 2026-11-21T10:42:01Z
         */
        Time: string;
        /**
         * @description What a token may do in its places.
         * @enum {string}
         */
        TokenAccess: "readOnly" | "readWrite";
        /** @description The token that someone used. */
        TokenRef: {
            /** @description The id of the person who created it; null if it is not known. */
            createdBy?: string | null;
            id: string;
        };
        /**
         * @description What a token is limited to. It never allows more than the role of the token's owner. A token with a scope cannot create or revoke
         *     tokens, or change people and the organisation. Without `projects` and `environments` it is limited to none.
         */
        TokenScope: {
            access: components["schemas"]["TokenAccess"];
            /** @description Environments. Such a token also reads what the project's environments have in common, such as features. */
            environments?: components["schemas"]["ScopedEnvironment"][] | null;
            /** @description The keys of whole projects. */
            projects?: components["schemas"]["Key"][] | null;
        };
        /**
         * @description A person in the organisation.
         * @example {
         *       "id": "01938f2a-6f40-7d10-8c2f-1b2a3c4d5e6f",
         *       "name": "Edda Okafor",
         *       "role": "editor"
         *     }
         */
        User: {
            id: string;
            identity?: components["schemas"]["Identity"] | null;
            name: string;
            role: components["schemas"]["Role"];
        };
        /**
         * @description Changes to a person. Missing fields stay the same.
         * @example {
         *       "role": "productionEditor"
         *     }
         */
        UserEdit: {
            name?: components["schemas"]["Name"] | null;
            role?: components["schemas"]["Role"] | null;
        };
        Value: string | number | boolean;
        /**
         * @description The type of a feature's values in typed SDKs, such as OpenFeature's. It is stored, so that it changes only when someone
         *     changes it: an SDK rejects a value of another type than its caller expects.
         * @enum {string}
         */
        ValueType: "boolean" | "string";
        /**
         * @description How often a variant was evaluated.
         * @example {
         *       "browser": 120,
         *       "server": 3,
         *       "variantKey": "on"
         *     }
         */
        VariantEvaluations: {
            /**
             * Format: int64
             * @description Pages in browsers that evaluated it, as an estimate.
             */
            browser: number;
            /**
             * Format: int64
             * @description Evaluations by services, exactly.
             */
            server: number;
            variantKey: string;
        };
        ViewQuery: string;
    };
    responses: {
        /** @description The key is taken, the resource is in use, an approval is pending or already decided, or the first request with this Idempotency-Key is still running. */
        Conflict: {
            headers: {
                /** @description Seconds to wait before a retry. For a conflict, only while the first request is still running. */
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
        /** @description The caller's role or the token's scope is insufficient, or the caller requested the change and can't approve it. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "This needs the administrator role. Ask an administrator to do it.",
                 *       "status": 403,
                 *       "title": "Forbidden",
                 *       "type": "/problems/forbidden"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description An internal error. */
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
        /** @description The request is invalid; errors[] points at each invalid place. */
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
        /** @description The caller's organisation has no resource with this key or id. */
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
        /** @description The resource has changed since the version in If-Match. */
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
        /** @description The database is full; nothing was changed. */
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
        /** @description The request took too long, or the database is unavailable. */
        Timeout: {
            headers: {
                /** @description Seconds to wait before a retry. For a conflict, only while the first request is still running. */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "The request took too long. Try again later.",
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
                 *       "detail": "The body is too large for this path. Send less.",
                 *       "status": 413,
                 *       "title": "Payload Too Large",
                 *       "type": "/problems/too-large"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The caller sends too many requests per second, or too many at once. */
        TooManyRequests: {
            headers: {
                /** @description Seconds to wait before a retry. For a conflict, only while the first request is still running. */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "Too many requests of this caller. Wait 1 s.",
                 *       "status": 429,
                 *       "title": "Too Many Requests",
                 *       "type": "/problems/too-many-requests"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The personal access token is missing, unknown, expired or revoked. */
        Unauthenticated: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "The token is unknown, expired or revoked. Create a new one.",
                 *       "status": 401,
                 *       "title": "Unauthorized",
                 *       "type": "/problems/unauthenticated"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is not JSON, or a query parameter or header is malformed. */
        Unreadable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "The body is empty or ends in the middle of its JSON. Send all of it.",
                 *       "status": 400,
                 *       "title": "Bad Request",
                 *       "type": "/problems/malformed-json"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The Content-Type is not application/json. */
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
export interface operations {
    listIntegrations: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
                /** @description The number of items, 1 to 200. Default: 50. */
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
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
        };
    };
    createIntegration: {
        parameters: {
            query?: never;
            header?: {
                /** @description Executes the request once, however often it is sent within 24 hours. A repeat gets the first response, without secrets. The same key with another body or path fails with 422, and with 409 while the first request is running. */
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
                    /** @description The version of the resource, for If-Match. */
                    ETag?: string;
                    /** @description The path of the new resource. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutboundIntegration"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    readIntegration: {
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
                    /** @description The version of the resource, for If-Match. */
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
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
        };
    };
    replaceIntegration: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of the version to change, or several, separated by commas. If the resource has another version, the response is 412 and nothing is changed. Without it, or with *, the last write wins.
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
                    /** @description The version of the resource, for If-Match. */
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
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    deleteIntegration: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of the version to change, or several, separated by commas. If the resource has another version, the response is 412 and nothing is changed. Without it, or with *, the last write wins.
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
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
                /** @description The number of items, 1 to 200. Default: 50. */
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
        };
    };
    replaceSigningSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Executes the request once, however often it is sent within 24 hours. A repeat gets the first response, without secrets. The same key with another body or path fails with 422, and with 409 while the first request is running. */
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
                    /** @description The version of the resource, for If-Match. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SigningSecret"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    sendTestEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Executes the request once, however often it is sent within 24 hours. A repeat gets the first response, without secrets. The same key with another body or path fails with 422, and with 409 while the first request is running. */
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
                    /** @description The version of the resource, for If-Match. */
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
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    readRegions: {
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnalyticsRegions"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
        };
    };
    listApprovalsToDecide: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
                /** @description The number of items, 1 to 200. Default: 50. */
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
                    "application/json": components["schemas"]["List_ApprovalToDecide"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["Unauthenticated"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
        };
    };
    listAuditLog: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
                /** @description The number of items, 1 to 200. Default: 50. */
                limit?: number;
                /** @description Only changes of this resource and the resources below it, such as `projects/shop/features/new-checkout`. */
                resource?: string;
                /** @description Only changes by this person. */
                userId?: string;
                /** @description Only this action, such as `targeting.update`, or all actions on a kind of resource, such as `targeting`. */
                action?: string;
                /**
                 * @description Only changes of targeting in this environment, and of edge keys and audiences that are limited to it. Combine with `resource` for
                 *     the history of one feature.
                 */
                environmentKey?: string;
                /** @description Only entries from this time on. */
                from?: components["schemas"]["Time"];
                /** @description Only entries before this time. */
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
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
        };
    };
    eraseUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewErasure"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Erasure"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    readCaller: {
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
                    /** @description The version of the resource, for If-Match. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
        };
    };
    readOrganisation: {
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
                    /** @description The version of the resource, for If-Match. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organisation"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
        };
    };
    updateOrganisation: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of the version to change, or several, separated by commas. If the resource has another version, the response is 412 and nothing is changed. Without it, or with *, the last write wins.
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
                    /** @description The version of the resource, for If-Match. */
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
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    listProjects: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
                /** @description The number of items, 1 to 200. Default: 50. */
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
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
        };
    };
    createProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description Executes the request once, however often it is sent within 24 hours. A repeat gets the first response, without secrets. The same key with another body or path fails with 422, and with 409 while the first request is running. */
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
                    /** @description The version of the resource, for If-Match. */
                    ETag?: string;
                    /** @description The path of the new resource. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    readProject: {
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
                    /** @description The version of the resource, for If-Match. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
        };
    };
    deleteProject: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of the version to change, or several, separated by commas. If the resource has another version, the response is 412 and nothing is changed. Without it, or with *, the last write wins.
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
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    updateProject: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of the version to change, or several, separated by commas. If the resource has another version, the response is 412 and nothing is changed. Without it, or with *, the last write wins.
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
                    /** @description The version of the resource, for If-Match. */
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
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    listApprovals: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
                /** @description The number of items, 1 to 200. Default: 50. */
                limit?: number;
                /** @description Only approvals in this state. */
                state?: components["schemas"]["ApprovalState"];
                /** @description Only approvals for this feature. */
                featureKey?: components["schemas"]["Key"];
                /** @description Only approvals for this environment, and for features themselves. */
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
        };
    };
    readApproval: {
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
                    /** @description The version of the resource, for If-Match. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
        };
    };
    approveChange: {
        parameters: {
            query?: never;
            header?: {
                /** @description Executes the request once, however often it is sent within 24 hours. A repeat gets the first response, without secrets. The same key with another body or path fails with 422, and with 409 while the first request is running. */
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
                    /** @description The version of the resource, for If-Match. */
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
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    cancelChange: {
        parameters: {
            query?: never;
            header?: {
                /** @description Executes the request once, however often it is sent within 24 hours. A repeat gets the first response, without secrets. The same key with another body or path fails with 422, and with 409 while the first request is running. */
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
                    /** @description The version of the resource, for If-Match. */
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
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    addApprovalComment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Executes the request once, however often it is sent within 24 hours. A repeat gets the first response, without secrets. The same key with another body or path fails with 422, and with 409 while the first request is running. */
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
                    /** @description The version of the resource, for If-Match. */
                    ETag?: string;
                    /** @description The path of the new resource. */
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
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    rejectChange: {
        parameters: {
            query?: never;
            header?: {
                /** @description Executes the request once, however often it is sent within 24 hours. A repeat gets the first response, without secrets. The same key with another body or path fails with 422, and with 409 while the first request is running. */
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
                    /** @description The version of the resource, for If-Match. */
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
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    listAudiences: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
                /** @description The number of items, 1 to 200. Default: 50. */
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
        };
    };
    createAudience: {
        parameters: {
            query?: never;
            header?: {
                /** @description Executes the request once, however often it is sent within 24 hours. A repeat gets the first response, without secrets. The same key with another body or path fails with 422, and with 409 while the first request is running. */
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
                    /** @description The version of the resource, for If-Match. */
                    ETag?: string;
                    /** @description The path of the new resource. */
                    Location?: string;
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
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    readAudience: {
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
                    /** @description The version of the resource, for If-Match. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Audience"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
        };
    };
    deleteAudience: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of the version to change, or several, separated by commas. If the resource has another version, the response is 412 and nothing is changed. Without it, or with *, the last write wins.
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
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    updateAudience: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of the version to change, or several, separated by commas. If the resource has another version, the response is 412 and nothing is changed. Without it, or with *, the last write wins.
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
                    /** @description The version of the resource, for If-Match. */
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
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    listEdgeKeys: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
                /** @description The number of items, 1 to 200. Default: 50. */
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
                    "application/json": components["schemas"]["List_EdgeKey"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
        };
    };
    createEdgeKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Executes the request once, however often it is sent within 24 hours. A repeat gets the first response, without secrets. The same key with another body or path fails with 422, and with 409 while the first request is running. */
                "Idempotency-Key"?: string;
            };
            path: {
                projectKey: components["schemas"]["Key"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewEdgeKey"];
            };
        };
        responses: {
            201: {
                headers: {
                    /** @description The version of the resource, for If-Match. */
                    ETag?: string;
                    /** @description The path of the new resource. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EdgeKey"];
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
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    revokeEdgeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectKey: components["schemas"]["Key"];
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
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    rotateEdgeKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Executes the request once, however often it is sent within 24 hours. A repeat gets the first response, without secrets. The same key with another body or path fails with 422, and with 409 while the first request is running. */
                "Idempotency-Key"?: string;
            };
            path: {
                projectKey: components["schemas"]["Key"];
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    /** @description The version of the resource, for If-Match. */
                    ETag?: string;
                    /** @description The path of the new resource. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EdgeKey"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    listEnvironments: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
                /** @description The number of items, 1 to 200. Default: 50. */
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
        };
    };
    createEnvironment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Executes the request once, however often it is sent within 24 hours. A repeat gets the first response, without secrets. The same key with another body or path fails with 422, and with 409 while the first request is running. */
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
                    /** @description The version of the resource, for If-Match. */
                    ETag?: string;
                    /** @description The path of the new resource. */
                    Location?: string;
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
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    compareEnvironments: {
        parameters: {
            query: {
                /** @description Key of the environment to copy from. */
                source: components["schemas"]["Key"];
                /** @description Key of the environment to copy to. */
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
        };
    };
    copyTargeting: {
        parameters: {
            query?: never;
            header?: {
                /** @description Executes the request once, however often it is sent within 24 hours. A repeat gets the first response, without secrets. The same key with another body or path fails with 422, and with 409 while the first request is running. */
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
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    readEnvironment: {
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
                    /** @description The version of the resource, for If-Match. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Environment"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
        };
    };
    deleteEnvironment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of the version to change, or several, separated by commas. If the resource has another version, the response is 412 and nothing is changed. Without it, or with *, the last write wins.
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
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    updateEnvironment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of the version to change, or several, separated by commas. If the resource has another version, the response is 412 and nothing is changed. Without it, or with *, the last write wins.
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
                    /** @description The version of the resource, for If-Match. */
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
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    listClientKeys: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
                /** @description The number of items, 1 to 200. Default: 50. */
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
        };
    };
    createClientKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Executes the request once, however often it is sent within 24 hours. A repeat gets the first response, without secrets. The same key with another body or path fails with 422, and with 409 while the first request is running. */
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
                    /** @description The version of the resource, for If-Match. */
                    ETag?: string;
                    /** @description The path of the new resource. */
                    Location?: string;
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
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    revokeClientKey: {
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
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    listExperiments: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
                /** @description The number of items, 1 to 200. Default: 50. */
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
                    "application/json": components["schemas"]["List_Experiment"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
        };
    };
    createExperiment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Executes the request once, however often it is sent within 24 hours. A repeat gets the first response, without secrets. The same key with another body or path fails with 422, and with 409 while the first request is running. */
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
                "application/json": components["schemas"]["NewExperiment"];
            };
        };
        responses: {
            201: {
                headers: {
                    /** @description The version of the resource, for If-Match. */
                    ETag?: string;
                    /** @description The path of the new resource. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Experiment"];
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
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    readExperiment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectKey: components["schemas"]["Key"];
                environmentKey: components["schemas"]["Key"];
                experimentKey: components["schemas"]["Key"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    /** @description The version of the resource, for If-Match. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Experiment"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
        };
    };
    deleteExperiment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of the version to change, or several, separated by commas. If the resource has another version, the response is 412 and nothing is changed. Without it, or with *, the last write wins.
                 * @example "17"
                 */
                "If-Match"?: string;
            };
            path: {
                projectKey: components["schemas"]["Key"];
                environmentKey: components["schemas"]["Key"];
                experimentKey: components["schemas"]["Key"];
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
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    updateExperiment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of the version to change, or several, separated by commas. If the resource has another version, the response is 412 and nothing is changed. Without it, or with *, the last write wins.
                 * @example "17"
                 */
                "If-Match"?: string;
            };
            path: {
                projectKey: components["schemas"]["Key"];
                environmentKey: components["schemas"]["Key"];
                experimentKey: components["schemas"]["Key"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExperimentEdit"];
            };
        };
        responses: {
            200: {
                headers: {
                    /** @description The version of the resource, for If-Match. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Experiment"];
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
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    readExperimentResults: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                projectKey: components["schemas"]["Key"];
                environmentKey: components["schemas"]["Key"];
                experimentKey: components["schemas"]["Key"];
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
                    "application/json": components["schemas"]["ExperimentResults"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
        };
    };
    startExperiment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Executes the request once, however often it is sent within 24 hours. A repeat gets the first response, without secrets. The same key with another body or path fails with 422, and with 409 while the first request is running. */
                "Idempotency-Key"?: string;
            };
            path: {
                projectKey: components["schemas"]["Key"];
                environmentKey: components["schemas"]["Key"];
                experimentKey: components["schemas"]["Key"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    /** @description The version of the resource, for If-Match. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Experiment"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    stopExperiment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Executes the request once, however often it is sent within 24 hours. A repeat gets the first response, without secrets. The same key with another body or path fails with 422, and with 409 while the first request is running. */
                "Idempotency-Key"?: string;
            };
            path: {
                projectKey: components["schemas"]["Key"];
                environmentKey: components["schemas"]["Key"];
                experimentKey: components["schemas"]["Key"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExperimentDecision"];
            };
        };
        responses: {
            200: {
                headers: {
                    /** @description The version of the resource, for If-Match. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Experiment"];
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
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    listGoals: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
                /** @description The number of items, 1 to 200. Default: 50. */
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
        };
    };
    listInsights: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
                /** @description The number of items, 1 to 200. Default: 50. */
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
                    "application/json": components["schemas"]["List_FeatureInsights"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
        };
    };
    listServerKeys: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
                /** @description The number of items, 1 to 200. Default: 50. */
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
        };
    };
    createServerKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Executes the request once, however often it is sent within 24 hours. A repeat gets the first response, without secrets. The same key with another body or path fails with 422, and with 409 while the first request is running. */
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
                    /** @description The version of the resource, for If-Match. */
                    ETag?: string;
                    /** @description The path of the new resource. */
                    Location?: string;
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
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    revokeServerKey: {
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
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    listFeatures: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
                /** @description The number of items, 1 to 200. Default: 50. */
                limit?: number;
                /** @description Only features with this status. */
                lifecycle?: components["schemas"]["Lifecycle"];
                /** @description Only features with this tag. */
                tag?: string;
                /** @description Only features with all of these words in the key, name, tags or description. Not case-sensitive. */
                search?: string;
                /** @description Whether to include the state in each environment. */
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
        };
    };
    createFeature: {
        parameters: {
            query?: never;
            header?: {
                /** @description Executes the request once, however often it is sent within 24 hours. A repeat gets the first response, without secrets. The same key with another body or path fails with 422, and with 409 while the first request is running. */
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
                    /** @description The version of the resource, for If-Match. */
                    ETag?: string;
                    /** @description The path of the new resource. */
                    Location?: string;
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
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    readFeature: {
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
                    /** @description The version of the resource, for If-Match. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Feature"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
        };
    };
    deleteFeature: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of the version to change, or several, separated by commas. If the resource has another version, the response is 412 and nothing is changed. Without it, or with *, the last write wins.
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
            /** @description The change needs approval, or is scheduled; nothing has changed yet. */
            202: {
                headers: {
                    /** @description The path of the approval. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
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
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    updateFeature: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of the version to change, or several, separated by commas. If the resource has another version, the response is 412 and nothing is changed. Without it, or with *, the last write wins.
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
                    /** @description The version of the resource, for If-Match. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Feature"];
                };
            };
            /** @description The change needs approval, or is scheduled; nothing has changed yet. */
            202: {
                headers: {
                    /** @description The path of the approval. */
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
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    readTargeting: {
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
                    /** @description The version of the resource, for If-Match. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TargetingView"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
        };
    };
    replaceTargeting: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of the version to change, or several, separated by commas. If the resource has another version, the response is 412 and nothing is changed. Without it, or with *, the last write wins.
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
                    /** @description The version of the resource, for If-Match. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TargetingView"];
                };
            };
            /** @description The change needs approval, or is scheduled; nothing has changed yet. */
            202: {
                headers: {
                    /** @description The path of the approval. */
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
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    updateTargeting: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of the version to change, or several, separated by commas. If the resource has another version, the response is 412 and nothing is changed. Without it, or with *, the last write wins.
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
                    /** @description The version of the resource, for If-Match. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TargetingView"];
                };
            };
            /** @description The change needs approval, or is scheduled; nothing has changed yet. */
            202: {
                headers: {
                    /** @description The path of the approval. */
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
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    switchOffNow: {
        parameters: {
            query?: never;
            header?: {
                /** @description Executes the request once, however often it is sent within 24 hours. A repeat gets the first response, without secrets. The same key with another body or path fails with 422, and with 409 while the first request is running. */
                "Idempotency-Key"?: string;
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
                "application/json": components["schemas"]["BreakGlass"];
            };
        };
        responses: {
            200: {
                headers: {
                    /** @description The version of the resource, for If-Match. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TargetingView"];
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
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    getInsights: {
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeatureInsightsDetails"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
        };
    };
    previewTargeting: {
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
        };
    };
    moveToNextPhase: {
        parameters: {
            query?: never;
            header?: {
                /** @description Executes the request once, however often it is sent within 24 hours. A repeat gets the first response, without secrets. The same key with another body or path fails with 422, and with 409 while the first request is running. */
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
                    /** @description The version of the resource, for If-Match. */
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
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    listPipelines: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
                /** @description The number of items, 1 to 200. Default: 50. */
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
        };
    };
    createPipeline: {
        parameters: {
            query?: never;
            header?: {
                /** @description Executes the request once, however often it is sent within 24 hours. A repeat gets the first response, without secrets. The same key with another body or path fails with 422, and with 409 while the first request is running. */
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
                    /** @description The version of the resource, for If-Match. */
                    ETag?: string;
                    /** @description The path of the new resource. */
                    Location?: string;
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
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    readPipeline: {
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
                    /** @description The version of the resource, for If-Match. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pipeline"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
        };
    };
    deletePipeline: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of the version to change, or several, separated by commas. If the resource has another version, the response is 412 and nothing is changed. Without it, or with *, the last write wins.
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
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    updatePipeline: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of the version to change, or several, separated by commas. If the resource has another version, the response is 412 and nothing is changed. Without it, or with *, the last write wins.
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
                    /** @description The version of the resource, for If-Match. */
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
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    readPreferences: {
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
                    /** @description The version of the resource, for If-Match. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Preferences"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
        };
    };
    replacePreferences: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of the version to change, or several, separated by commas. If the resource has another version, the response is 412 and nothing is changed. Without it, or with *, the last write wins.
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
                "application/json": components["schemas"]["NewPreferences"];
            };
        };
        responses: {
            200: {
                headers: {
                    /** @description The version of the resource, for If-Match. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Preferences"];
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
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    listTokens: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
                /** @description The number of items, 1 to 200. Default: 50. */
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
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
        };
    };
    createToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description Executes the request once, however often it is sent within 24 hours. A repeat gets the first response, without secrets. The same key with another body or path fails with 422, and with 409 while the first request is running. */
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
                    /** @description The version of the resource, for If-Match. */
                    ETag?: string;
                    /** @description The path of the new resource. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessToken"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    revokeToken: {
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
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
                /** @description The number of items, 1 to 200. Default: 50. */
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
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Executes the request once, however often it is sent within 24 hours. A repeat gets the first response, without secrets. The same key with another body or path fails with 422, and with 409 while the first request is running. */
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
                    /** @description The version of the resource, for If-Match. */
                    ETag?: string;
                    /** @description The path of the new resource. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["Unreadable"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    readUser: {
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
                    /** @description The version of the resource, for If-Match. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of the version to change, or several, separated by commas. If the resource has another version, the response is 412 and nothing is changed. Without it, or with *, the last write wins.
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
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of the version to change, or several, separated by commas. If the resource has another version, the response is 412 and nothing is changed. Without it, or with *, the last write wins.
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
                    /** @description The version of the resource, for If-Match. */
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
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    createSetupLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description Executes the request once, however often it is sent within 24 hours. A repeat gets the first response, without secrets. The same key with another body or path fails with 422, and with 409 while the first request is running. */
                "Idempotency-Key"?: string;
            };
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    /** @description The version of the resource, for If-Match. */
                    ETag?: string;
                    /** @description The path of the new resource. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetupLink"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Timeout"];
            507: components["responses"]["StorageFull"];
        };
    };
}
