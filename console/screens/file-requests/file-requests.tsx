import './file-requests.css';

import type { ScreenProps } from '../../app/screen-props.ts';
import { RequestList } from './request-list.tsx';
import { RequestPage } from './request-page.tsx';

/** The file requests of the account: the list, or one of them at `/console/requests/<id>`. */
export default function Requests({ rest: [id], query }: ScreenProps) {
  return id === undefined ? <RequestList query={query} /> : <RequestPage id={id} />;
}
