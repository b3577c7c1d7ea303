"""Errors of the original peripherals in answering requests, added to Bumble's server, which has none of them.
"""

from __future__ import annotations

from collections.abc import Collection

from bumble.att import (
    ATT_PDU,
    ATT_Error_Response,
    ATT_Read_Blob_Request,
    ATT_Read_Request,
    ATT_Read_Response,
    Attribute,
    ErrorCode,
    Opcode,
)
from bumble.device import Connection
from bumble.gatt_server import Server


def ignore_offsets(server: Server, values: Collection[Attribute]) -> None:
    """Makes the server answer a request for the rest of one of these values with its beginning."""
    answer = server.on_att_read_blob_request

    def read_blob(connection: Connection, request: ATT_Read_Blob_Request) -> None:
        if server.get_attribute(request.attribute_handle) in values:
            request = ATT_Read_Blob_Request(attribute_handle=request.attribute_handle, value_offset=0)
        answer(connection, request)

    server.on_att_read_blob_request = read_blob  # type: ignore[method-assign]


def answer_twice(server: Server, values: Collection[Attribute]) -> None:
    """Makes the server answer a read of one of these values with the value, and then with an error."""
    answer, send = server.on_att_read_request, server.send_response
    asked: dict[Connection, int] = {}

    def read(connection: Connection, request: ATT_Read_Request) -> None:
        if server.get_attribute(request.attribute_handle) in values:
            asked[connection] = request.attribute_handle
        answer(connection, request)

    def send_both(connection: Connection, response: ATT_PDU) -> None:
        send(connection, response)
        handle = asked.pop(connection, None)
        if handle is not None and isinstance(response, ATT_Read_Response):
            send(
                connection,
                ATT_Error_Response(
                    request_opcode_in_error=Opcode.ATT_READ_REQUEST,
                    attribute_handle_in_error=handle,
                    error_code=ErrorCode.UNLIKELY_ERROR,
                ),
            )

    server.on_att_read_request = read  # type: ignore[method-assign]
    server.send_response = send_both  # type: ignore[method-assign]
