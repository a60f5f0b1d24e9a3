import { expect } from 'chai';
import { withoutOurs } from './options.js';

describe('withoutOurs', () => {
  it('takes away what would weaken a write or a read, whatever its case, and keeps the rest as it is', () => {
    const uri =
      'mongodb://u:p%3Fw@a:1,b:2/db?w=0&replicaSet=rs&J=false&readPreference=secondary&tls=true&ReadConcernLevel=local';
    expect(withoutOurs(uri)).to.equal('mongodb://u:p%3Fw@a:1,b:2/db?replicaSet=rs&tls=true');
  });

  it('leaves a URI without options alone', () => {
    expect(withoutOurs('mongodb://a:1')).to.equal('mongodb://a:1');
    expect(withoutOurs('mongodb+srv://a.example/')).to.equal('mongodb+srv://a.example/');
  });
});
