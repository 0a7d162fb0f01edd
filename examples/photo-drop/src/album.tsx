import { useCallback, useEffect, useState, type ChangeEvent, type DragEvent, type ReactNode } from 'react';

import { deletePhoto, listPhotos, uploadPhoto, PhotoError, type Connection, type Photo } from './photos.ts';

interface AlbumProps {
  readonly connection: Connection;
  readonly onLeave: () => void;
}

/** A file on its way, or one that was refused. */
interface Upload {
  readonly key: number;
  readonly file: File;
  /** From 0 to 1. */
  readonly progress: number;
  readonly problem?: string;
}

export function Album({ connection, onLeave }: AlbumProps): ReactNode {
  const [photos, setPhotos] = useState<readonly Photo[]>();
  const [problem, setProblem] = useState<string>();
  const refresh = useCallback(async () => {
    try {
      setPhotos(await listPhotos(connection));
      setProblem(undefined);
    } catch (error) {
      setProblem(messageOf(error));
    }
  }, [connection]);
  useEffect(() => void refresh(), [refresh]);
  const remove = async (photo: Photo) => {
    try {
      await deletePhoto(connection, photo);
      setPhotos((all) => all?.filter(({ id }) => id !== photo.id));
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  // A list for each of many uploads would soon come too fast.
  const add = (photo: Photo) => setPhotos((all) => [photo, ...(all ?? []).filter(({ id }) => id !== photo.id)]);
  return (
    <>
      {problem !== undefined && (
        <p role="alert">
          {problem} <button onClick={refresh}>Reload</button> <button onClick={onLeave}>Change the key</button>
        </p>
      )}
      <Uploads connection={connection} onStored={add} />
      <section aria-label="Photos" aria-busy={photos === undefined && problem === undefined}>
        {photos?.length === 0 && <p>No photos yet.</p>}
        <ul className="photos">
          {photos?.map((photo) => (
            <li key={photo.id}>
              <img src={photo.url} alt={photo.name} />
              <span>{photo.name}</span>
              <button aria-label={`Delete ${photo.name}`} onClick={() => remove(photo)}>
                Delete
              </button>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

let lastKey = 0;

type UploadsProps = Pick<AlbumProps, 'connection'> & { readonly onStored: (photo: Photo) => void };

/** The uploads, and what starts and ends them. */
function useUploads({ connection, onStored }: UploadsProps) {
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const update = (key: number, change: Partial<Upload>) =>
    setUploads((all) => all.map((one) => (one.key === key ? { ...one, ...change } : one)));
  const drop = (key: number) => setUploads((all) => all.filter((one) => one.key !== key));
  const send = async (key: number, file: File) => {
    try {
      const photo = await uploadPhoto(connection, file, (progress) => update(key, { progress }));
      drop(key);
      if (photo) onStored(photo);
    } catch (error) {
      update(key, { problem: messageOf(error) });
    }
  };
  const add = (files: Iterable<File>) => {
    for (const file of files) {
      const key = ++lastKey;
      setUploads((all) => [...all, { key, file, progress: 0 }]);
      void send(key, file);
    }
  };
  const again = ({ key, file }: Upload) => {
    setUploads((all) => all.map((one) => (one.key === key ? { key, file, progress: 0 } : one)));
    void send(key, file);
  };
  return { uploads, add, again, drop };
}

function Uploads(props: UploadsProps): ReactNode {
  const { uploads, add, again, drop } = useUploads(props);
  const [isOver, setIsOver] = useState(false);
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    add([...(target.files ?? [])]);
    target.value = '';
  };
  const dropped = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    add([...event.dataTransfer.files]);
  };
  return (
    <>
      <label
        className={isOver ? 'drop over' : 'drop'}
        onDragOver={(event) => (event.preventDefault(), setIsOver(true))}
        onDragLeave={() => setIsOver(false)}
        onDrop={dropped}
      >
        Choose photos, or drop them here
        <input type="file" accept="image/*" multiple onChange={choose} />
      </label>
      <ul className="uploads" aria-label="Uploads">
        {uploads.map((upload) => (
          <li key={upload.key}>
            <span>{upload.file.name}</span>
            {upload.problem === undefined ? (
              <progress aria-label={`Upload of ${upload.file.name}`} value={upload.progress} />
            ) : (
              <>
                <span role="alert">{upload.problem}</span>
                <button onClick={() => again(upload)}>Try again</button>
                <button onClick={() => drop(upload.key)}>Dismiss</button>
              </>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

function messageOf(error: unknown): string {
  return error instanceof PhotoError ? error.message : 'The server cannot be reached. Check your connection.';
}
