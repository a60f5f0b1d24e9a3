import type { KindAccess } from '../../access.js';

export const access: KindAccess = {
  members: {
    Admin: {
      'serviceaccounts:*': [
        'serviceaccounts:create',
        'serviceaccounts:read',
        'serviceaccounts:write',
        'serviceaccounts:delete',
        'serviceaccounts.permissions:read',
        'serviceaccounts.permissions:write',
      ],
    },
  },
};

const EDIT = ['serviceaccounts:read', 'serviceaccounts:write'];

/** The actions on a service account that a permission on it grants. */
export const SERVICE_ACCOUNT_SETS: Readonly<Record<string, readonly string[]>> = {
  Edit: EDIT,
  Admin: [...EDIT, 'serviceaccounts:delete', 'serviceaccounts.permissions:read', 'serviceaccounts.permissions:write'],
};
