"""The hub's own certificate: made once in the study's folder, trusted by its fingerprint and by nothing else.

A laboratory has no certificate authority; the subject's command, which the hub prints, carries the fingerprint instead.
"""

import contextlib
import datetime
import hashlib
import os
import secrets
import ssl
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import NameOID

LASTS_DAYS = 3650
_BEGIN, _END = "-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----"


def server_context(folder: Path) -> tuple[ssl.SSLContext, str]:
    """TLS for a server, and the SHA-256 fingerprint of its certificate in hexadecimal.

    `folder` gets `certificate.pem` and `key.pem` (mode 0600) when it has none. Raises OSError or ssl.SSLError when they
    cannot be made or read.
    """
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    if not certificate.exists():
        _make(certificate, key)
    if not key.exists():
        raise OSError(
            f"{certificate} lies there without {key.name}: put that back, or delete it, and both are made anew"
        )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context, fingerprint(certificate)


def fingerprint(certificate: Path) -> str:
    """SHA-256 over the certificate's binary form, in hexadecimal; of a chain its first, which is the server's own."""
    first = certificate.read_text().partition(_END)[0]
    return hashlib.sha256(ssl.PEM_cert_to_DER_cert(first[first.find(_BEGIN) :] + _END)).hexdigest()


def _make(certificate: Path, key: Path) -> None:
    """Make the key, unless another program was first, and the certificate of the key that lies there."""
    fresh = ec.generate_private_key(ec.SECP256R1())
    form = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    _write(key, fresh.private_bytes(*form))
    private = serialization.load_pem_private_key(key.read_bytes(), None)
    if not isinstance(private, ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey):
        raise OSError(f"{key} is no key for a server; delete it, and a new one is made with its certificate")
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "server")])  # a subject's browser shows it
    now = datetime.datetime.now(datetime.UTC)
    built = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(private.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=LASTS_DAYS))
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .sign(private, hashes.SHA256())
    )
    _write(certificate, built.public_bytes(serialization.Encoding.PEM))


def _write(path: Path, data: bytes) -> None:
    """Write a file that only its owner reads, whole or not at all; another program's stands if it was first."""
    part = path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(part, path)
    finally:
        part.unlink(missing_ok=True)
