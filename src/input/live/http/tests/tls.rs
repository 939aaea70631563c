//! The client over TLS, with certificates made for the moment.

use rcgen::{CertificateParams, CertifiedKey, KeyPair, date_time_ymd, generate_simple_self_signed};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use super::*;

/// A server over TLS that answers every request; its address.
fn serve_tls(certificate: &CertificateDer<'static>, key: &KeyPair) -> String {
    let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate.clone()], key)
        .unwrap();
    let config = Arc::new(config);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let connection = ServerConnection::new(Arc::clone(&config)).unwrap();
            let mut stream = StreamOwned::new(connection, stream.unwrap());
            // A client that does not trust us hangs up instead.
            if matches!(stream.read(&mut [0; 4096]), Ok(length) if length > 0) {
                let _gone = write!(stream, "{OK}Content-Length: 2\r\n\r\n[]");
                stream.conn.send_close_notify();
                let _gone = stream.flush();
                // To close with a part of the request unread would break the connection under the answer.
                let _set = stream.sock.set_read_timeout(Some(Duration::from_secs(1)));
                while matches!(stream.read(&mut [0; 4096]), Ok(length) if length > 0) {}
            }
        }
    });
    format!("https://localhost:{port}/mcp")
}

/// What a client says that trusts this certificate and no other.
fn told_to(certificate: &CertificateDer<'static>, url: &str) -> Told {
    let client = client(&Limits::default());
    let root = Certificate::from_der(certificate).to_owned();
    assert!(client.shared.tls.set(trusting([root].into_iter())).is_ok());
    client.send(post(1, url), PATIENCE);
    told(&client)
}

#[test]
fn a_certificate_is_trusted_or_says_why_not() {
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let url = serve_tls(cert.der(), &signing_key);
    let answered = told_to(cert.der(), &url);
    assert_eq!((answered.status, answered.parts, answered.kind), (200, vec!["[]".to_owned()], None));
    fails(&url, CauseKind::Tls, &["certificate of `localhost:", "no authority", "SSL_CERT_FILE"]);
    let nothing = client(&Limits::default());
    assert!(nothing.shared.tls.set(trusting(std::iter::empty())).is_ok());
    nothing.send(post(1, &url), PATIENCE);
    let told_nothing = told(&nothing);
    assert!(told_nothing.cause.contains("install `ca-certificates`"), "{}", told_nothing.cause);
    let other = told_to(cert.der(), &url.replace("localhost", "127.0.0.1"));
    assert_eq!(other.kind, Some(CauseKind::Tls));
    assert!(other.cause.contains("another name"), "{}", other.cause);
}

#[test]
fn an_old_certificate_has_expired() {
    let mut params = CertificateParams::new(["localhost".to_owned()]).unwrap();
    params.not_before = date_time_ymd(2001, 1, 1);
    params.not_after = date_time_ymd(2002, 1, 1);
    let key = KeyPair::generate().unwrap();
    let certificate = params.self_signed(&key).unwrap();
    let told = told_to(certificate.der(), &serve_tls(certificate.der(), &key));
    assert_eq!(told.kind, Some(CauseKind::Tls));
    assert!(told.cause.contains("expired"), "{}", told.cause);
}

#[test]
fn the_wrong_scheme_is_named() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let plain = format!("https://{}/mcp", listener.local_addr().unwrap());
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        stream.write_all(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n").unwrap();
        let _hello = stream.read(&mut [0; 4096]);
    });
    fails(&plain, CauseKind::Tls, &["does not speak TLS", "`http://`"]);
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let tls = serve_tls(cert.der(), &signing_key).replace("https:", "http:");
    fails(&tls, CauseKind::Broken, &["no HTTP/1.1 answer", "`https://`"]);
}

#[test]
fn a_handshake_without_end_ends_after_1_second() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("https://{}/mcp", listener.local_addr().unwrap());
    let began = Instant::now();
    let told = exchange_within(post(1, &url), &Limits::default(), Duration::from_secs(1));
    assert_eq!(told.kind, Some(CauseKind::Timeout), "{}", told.cause);
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
}
