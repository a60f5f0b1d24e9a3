import { Empty } from '../../ui/states.js';

export function AccountPage() {
  return (
    <div class="page">
      <h1>Account</h1>
      <Empty title="Not there yet" />
    </div>
  );
}
