import { expect } from 'chai';
import { PATCH_MEDIA_TYPES, patchTypeOf } from './patch-type.js';

describe('patchTypeOf', () => {
  it('knows the four media types of patches', () => {
    for (const [type, mediaType] of Object.entries(PATCH_MEDIA_TYPES)) expect(patchTypeOf(mediaType)).to.equal(type);
  });

  it('minds neither parameters nor case', () => {
    expect(patchTypeOf('Application/Merge-Patch+JSON ; charset=utf-8')).to.equal('merge');
  });

  it('knows no other type, and no inherited property for one', () => {
    for (const type of ['application/json', 'application/apply-patch+cbor', '', 'constructor']) {
      expect(patchTypeOf(type), type).to.equal(undefined);
    }
  });
});
