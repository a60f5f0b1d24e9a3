import { expect } from 'chai';
import type { CheckedAssertion } from './assertion.js';
import { personOfAssertion } from './profile.js';
import { SamlSettings } from './settings.js';

const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';

const EMAIL = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
const UNSPECIFIED = 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified';

const assertion = (attributes: Readonly<Record<string, readonly string[]>>, format?: string): CheckedAssertion => ({
  id: 'a',
  issuer: 'https://id.example',
  nameId: { value: 'name-id', format },
  sessionIndex: undefined,
  sessionEnds: undefined,
  inResponseTo: undefined,
  attributes: new Map(Object.entries(attributes)),
  ends: 0,
});
const subject = (settings: object, attributes: Readonly<Record<string, readonly string[]>>, format?: string): string =>
  personOfAssertion(SamlSettings.parse(settings), assertion(attributes, format)).subject;

describe('who an assertion names', () => {
  it('is the NameID, or the attribute for that', () => {
    expect(subject({}, {})).to.equal('name-id:unspecified:name-id');
    expect(subject({ assertionAttributeExternalUid: 'uid' }, { uid: ['7'] })).to.equal('attribute:uid=7');
    expect(subject({ assertionAttributeExternalUid: 'userUID' }, {})).to.equal('name-id:unspecified:name-id');
  });

  // Promise: security saml
  it('is nobody without the attribute that the settings name, and never another person by the text of a NameID', () => {
    expect(() => subject({ assertionAttributeExternalUid: 'uid' }, {})).to.throw('has no attribute uid');
    const nameId = { value: 'attribute:userUID=7', format: undefined };
    const { subject: byNameId } = personOfAssertion(SamlSettings.parse({}), { ...assertion({}), nameId });
    expect(byNameId).to.not.equal(subject({ assertionAttributeExternalUid: 'userUID' }, { userUID: ['7'] }));
  });

  it('is the login, if the NameID is another one at each sign-in', () => {
    expect(subject({ assertionAttributeLogin: 'login' }, { login: ['ada'] }, TRANSIENT)).to.equal(
      'attribute:login=ada',
    );
    expect(() => subject({}, {}, TRANSIENT)).to.throw('no attribute tells who the person is');
  });

  // Promise: security saml
  it('is another one for another attribute with the same value, which people may write themselves', () => {
    const attributes = { login: ['ada'], nickname: ['ada'] };
    const [login, nickname] = ['login', 'nickname'].map((name) =>
      subject({ assertionAttributeLogin: name }, attributes, TRANSIENT),
    );
    expect(login).to.not.equal(nickname);
  });

  // Promise: security saml
  it('is another one for the same NameID in another format, which people may ask the provider for', () => {
    const formats = [
      'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
      EMAIL,
      UNSPECIFIED,
      'urn:x',
      'urn:x:name-id',
    ];
    expect(new Set(formats.map((format) => subject({}, {}, format))).size).to.equal(formats.length);
    expect(subject({}, {}, UNSPECIFIED)).to.equal(subject({}, {}));
  });

  it('has an address that counts as verified only if the provider says so', () => {
    const settings = SamlSettings.parse({ assertionAttributeEmail: 'mail' });
    const verified = (more: Readonly<Record<string, readonly string[]>>): boolean =>
      personOfAssertion(settings, assertion({ mail: ['ada@example.com'], ...more })).isEmailVerified;
    expect([verified({}), verified({ email_verified: ['true'] })]).to.deep.equal([false, true]);
  });
});
