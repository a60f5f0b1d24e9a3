import { SECRET_SIGN_ON_KEYS } from '../../../pkg/identity/signon/values.js';
import type { KindFolder } from '../../kind-folder.js';
import { ssoSetting as kind } from './kind.js';
import { ssoSettingRouter } from './legacy/router.js';

export const ssoSetting: KindFolder = {
  kinds: [kind],
  legacy: ssoSettingRouter,
  secretFields: SECRET_SIGN_ON_KEYS,
  order: 200,
};
