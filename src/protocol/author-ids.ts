/** Patterns of the ids an author declares (specification §3.2, §4.2, §5.2). Their lengths are in `limits.ts`. */
export const SURFACE_ID_PATTERN = /^[a-z][a-z0-9-]*[a-z0-9]$/;
export const MEMBER_ID_PATTERN = /^[a-z][a-z0-9_]*[a-z0-9]$/;

/** The surface id of the runtime's own actions. No page may declare it. */
export const RESERVED_SURFACE_ID = 'oui';
